import { fastifyShop } from './fastify-shop.js';
import { testShop } from './suite.js';

testShop((t) => {
  const app = fastifyShop();
  t.after(() => app.close());
  return async (method, url, payload, headers = {}) => {
    const answer = await app.inject({ method, url, payload, headers });
    return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() };
  };
});
