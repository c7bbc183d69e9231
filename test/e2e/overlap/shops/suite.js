/** What the tests of both shops do, one request after the other. `clientOf`: gives what sends a request, and tells status and body. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

export function testShop(clientOf) {
  const shopTest = (name, steps) =>
    test(name, async (t) => {
      const ask = await clientOf(t);
      const { body } = await ask('POST', '/users', { name: 'ann' });
      const headers = { authorization: `Bearer ${body.token}` };
      const own = (method, path, sent) => ask(method, path, sent, headers);
      await steps(own, ask);
    });
  const is = (answer, status) => assert.equal(answer.status, status, JSON.stringify(answer.body));

  shopTest('a name can be taken once', async (_own, ask) => {
    is(await ask('POST', '/users', { name: 'ann' }), 409);
    assert.deepEqual((await ask('GET', '/users')).body, ['ann']);
  });
  shopTest('money is there to be spent', async (own) => {
    is(await own('POST', '/wallet/deposit', { amount: 100 }), 200);
    is(await own('POST', '/wallet/withdraw', { amount: 80 }), 200);
    assert.equal((await own('GET', '/wallet')).body.balance, 20);
  });
  shopTest('money can be sent', async (own) => {
    is(await own('POST', '/wallet/deposit', { amount: 100 }), 200);
    is(await own('POST', '/wallet/transfer', { to: 'bob', amount: 70 }), 200);
    assert.equal((await own('GET', '/wallet')).body.balance, 30);
  });
  shopTest('a coupon is good for once', async (own) => {
    is(await own('POST', '/coupons/WELCOME/redeem'), 200);
    is(await own('POST', '/coupons/WELCOME/redeem'), 409);
  });
  shopTest('what is sold out cannot be ordered', async (own) => {
    const { body } = await own('POST', '/products/lamp/order');
    is(await own('POST', '/products/lamp/order'), 409);
    assert.equal((await own('GET', `/orders/${body.id}`)).body.product, 'lamp');
  });
  shopTest('likes are counted', async (own) => {
    is(await own('POST', '/products/lamp/like'), 200);
    assert.equal((await own('GET', '/products/lamp/likes')).body.likes, 1);
  });
  shopTest('a cart keeps what is put into it', async (own) => {
    is(await own('POST', '/cart', { item: 'lamp' }), 200);
    is(await own('POST', '/cart', { item: 'chair' }), 200);
    assert.deepEqual((await own('GET', '/cart')).body, ['chair', 'lamp']);
  });
  shopTest('a profile is changed in parts', async (own) => {
    is(await own('PATCH', '/profile', { mail: 'ann@example.org' }), 204);
    is(await own('PATCH', '/profile', { city: 'Ulm' }), 204);
    assert.deepEqual((await own('GET', '/profile')).body, { mail: 'ann@example.org', city: 'Ulm' });
  });
  shopTest('an invitation can be accepted once', async (own) => {
    const { body } = await own('POST', '/invites');
    is(await own('POST', `/invites/${body.token}/accept`), 200);
    is(await own('POST', `/invites/${body.token}/accept`), 410);
  });
  shopTest('a team has two seats', async (own) => {
    is(await own('POST', '/teams/red/members'), 200);
    is(await own('POST', '/teams/red/members'), 200);
    assert.equal((await own('GET', '/teams/red')).body.length, 2);
  });
}
