import request from 'supertest';
import { expressShop } from './express-shop.js';
import { testShop } from './suite.js';

testShop(() => {
  const app = expressShop();
  return async (method, path, sent, headers = {}) => {
    const asked = request(app)[method.toLowerCase()](path).set(headers);
    return sent === undefined ? asked : asked.send(sent);
  };
});
