import Fastify from 'fastify';
import { ROUTES, ROUTES_OF_USERS, Shop } from './shop.js';

export function fastifyShop() {
  const shop = new Shop();
  const app = Fastify();
  const userOf = (request) => shop.userOf(request.headers.authorization);
  const answer = (name, isForAll) => async (request, reply) => {
    const user = userOf(request);
    if (!isForAll && !user) return reply.code(401).send({ error: 'who are you?' });
    const { body, params } = request;
    const [status, value] = await shop[name]({ body, params, user });
    return reply.code(status).send(value);
  };
  for (const [method, url, name] of ROUTES) app.route({ method, url, handler: answer(name, true) });
  for (const [method, url, name] of ROUTES_OF_USERS) app.route({ method, url, handler: answer(name, false) });
  return app;
}
