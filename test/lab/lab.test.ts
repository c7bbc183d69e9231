/** The laboratory in small: what it takes for feasible, and what not. The whole is `npm run lab`. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { RandomStrategy } from '../../rescheduler/strategies/random.ts';
import { Directories } from './directories.ts';
import { Follower } from './follow.ts';
import { type Node, type Program, programOf } from './program.ts';

const directories = new Directories();
after(() => directories.remove());

const program = (...roots: Node[]): Program => ({ seed: 0, roots });
const node = (id: number, operation: string, n = 1, then: Node[] = []): Node => ({ id, operation, n, then });

async function follows(of: Program, order: string, tries = 40): Promise<boolean> {
  const follower = new Follower(of, directories);
  await follower.learn();
  return (await follower.follow(order.split(' '), tries)).tries > 0;
}

describe('an order is followed', () => {
  const files = program(node(0, 'setTimeout', 1), node(1, 'stat'), node(2, 'fsp.stat', 2));
  it('that real Node can show', async () => {
    for (const order of ['0 1=3 2=3', '1=3 0 2=3', '2=3 1=3 0'])
      assert.ok(await follows(files, order), order);
  });

  it('by what its requests do, too', async () => {
    const shared = program(node(0, 'readFile', 0), node(1, 'appendFile', 0));
    assert.ok(await follows(shared, '0=abc 1'));
    assert.ok(await follows(shared, '0=abc1 1'));
    assert.ok(await follows(shared, '1 0=abc'));
    assert.ok(!(await follows(shared, '1 0=abc2')));
  });

  it('with timers before what a child that has ended told', async () => {
    const child = program(node(0, 'a child without pipes'), node(1, 'setTimeout', 4));
    for (const order of ['0.exit 0 1', '1 0.exit 0']) assert.ok(await follows(child, order), order);
    const pipes = program(node(0, 'a child reads and writes'), node(1, 'sleep', 4));
    // Its end may come before that of its pipe, but not before what it wrote, which is read first.
    const words = ['0.data=one', '0.exit', '0.end', '0'];
    for (let at = 0; at <= words.length; at++) {
      const order = words.toSpliced(at, 0, '1').join(' ');
      assert.ok(await follows(pipes, order), order);
    }
    assert.ok(!(await follows(pipes, '0.exit 0.data=one 0.end 0 1')));
  });

  it('with what a name server answered before what was asked with it', async () => {
    const asked = node(0, 'setImmediate', 1, [node(1, 'dns.resolve'), node(2, 'setImmediate')]);
    for (const order of ['0 1=ECONNREFUSED 2', '0 2 1=ECONNREFUSED'])
      assert.ok(await follows(program(asked), order), order);
  });

  it('with answers of name servers apart, after others that shared a turn', async () => {
    const then = node(2, 'setTimeout', 1, [node(3, 'dns.promises.resolve'), node(4, 'setImmediate')]);
    const follower = new Follower(program(node(0, 'dns.promises.resolve'), then), directories);
    await follower.learn();
    const [one, other] = ['0=ECONNREFUSED', '3=ECONNREFUSED'];
    for (const order of [`2 ${one} ${other} 4`, `2 ${one} 4 ${other}`])
      assert.notEqual((await follower.follow(order.split(' '), 40)).tries, 0, order);
  });

  it('in which something was later than a stat would have told, had anybody asked for times', async () => {
    const [long, short] = [node(0, 'setTimeout', 3), node(1, 'setTimeout', 1)];
    const changed = node(2, 'chmod', 1, [node(3, 'stat', 1)]);
    assert.ok(await follows(program(long, short, changed), '2 3=3 0 1'));
  });

  it('but none that it cannot', async () => {
    const immediates = program(node(0, 'two immediates'), node(1, 'stat'));
    assert.ok(await follows(immediates, '1=3 0.first 0'));
    assert.ok(!(await follows(immediates, '0.first 1=3 0')), 'a batch is not interrupted');
    const equal = program(node(0, 'setTimeout', 2), node(1, 'setTimeout', 2));
    assert.ok(!(await follows(equal, '1 0')), 'equal delays are first in, first out');
    const inPoll = program(node(0, 'stat', 1, [node(1, 'setTimeout', 1), node(2, 'setImmediate')]));
    assert.ok(!(await follows(inPoll, '0=3 1 2')), 'an immediate of the poll phase comes before timers');
  });
});

it('orders of the gate are followed, whatever their steps', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const of = programOf(seed);
    const order: string[] = [];
    const { status } = await new Follower(of, directories).run(new RandomStrategy(seed), (w) =>
      order.push(w),
    );
    assert.equal(status, 'ok', `program ${seed}`);
    assert.ok(await follows(of, order.join(' '), 400), `program ${seed}: ${order.join(' ')}`);
  }
});

describe('an order that plain Node has shown is followed', () => {
  const shown: readonly [why: string, seed: number, order: string][] = [
    [
      'where phases can be told apart in many ways',
      775,
      '0.tick 2.tick 4 0.tick 2.tick 0 2 3.tick 5 1 6 3.tick 3 7=3',
    ],
    [
      'where rounds overlooked a timer although nothing asked for that when they passed',
      506,
      '0 4 8.refreshed 1 5=ENOENT 6 8 2 3.refreshed 7 3 9=ENOENT',
    ],
    [
      'where fetch looked at the clock before what only came later was started',
      829,
      '2 4 8 0 3 1.request=/ 1.response=200 1.text=ok 1 7=ENOENT 5.request=/ 5.response=200 5.text=ok 5 6=3',
    ],
    ['in which a file is opened when it is gone', 375, '1 5 3 0=ENOENT 2 4=ENOENT'],
    [
      'in which one phase fires a timer of which nobody hears together with another one',
      904,
      '0.listening 0.accepted 0.connect 2 0.server.data=a 4.request=/1 5 0.server.end 0.data=a 0.server.close 0.end ' +
        '0.close 0 1.request=/1 4.response=1 4.data=ok 4.end=1 4 1.response=1 1.data=ok 1.end=1 1 7 8 3 6',
    ],
    [
      'where nothing but WebAssembly keeps the loop alive, once a server is closed',
      125,
      '5.listening 8 5.accepted 5.connect 5.server.close 5.end 5.close 5 9 0 1.listening 1.accepted 1.connect 4 6 ' +
        '1.server.close 1.end 1.close 1 2=3 7 3',
    ],
    [
      'whose words were not told before',
      594,
      '0.listening 0.accepted 0.connect 4 5 6 0.server.error=ECONNRESET 0.server.close 0.close 0 1.listening 3 ' +
        '1.accepted 1.connect 1.data=x 2 1.server.end 1.server.close 1.close 1',
    ],
  ];
  for (const [why, seed, order] of shown)
    it(why, async () => assert.ok(await follows(programOf(seed), order, 200)));
});
