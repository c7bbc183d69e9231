import express from 'express';
import { ROUTES, ROUTES_OF_USERS, Shop } from './shop.js';

export function expressShop() {
  const shop = new Shop();
  const app = express();
  app.use(express.json());
  const answer = (name, user) => async (request, response) => {
    const { body, params } = request;
    const [status, value] = await shop[name]({ body, params, user: user?.(request) });
    response.status(status).json(value);
  };
  for (const [method, path, name] of ROUTES) app[method](path, answer(name));
  app.use((request, response, next) => {
    if (shop.userOf(request.headers.authorization)) next();
    else response.status(401).json({ error: 'who are you?' });
  });
  const user = (request) => shop.userOf(request.headers.authorization);
  for (const [method, path, name] of ROUTES_OF_USERS) app[method](path, answer(name, user));
  return app;
}
