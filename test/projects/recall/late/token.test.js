// An API client that asks for a new token when the old one is refused; a new token makes the old one void.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Api {
  valid = 't1';
  issued = 1;
  server = http.createServer((request, response) => {
    if (request.url === '/token') {
      this.valid = `t${++this.issued}`;
      response.end(this.valid);
      return;
    }
    response.statusCode = request.headers.authorization === this.valid ? 200 : 401;
    response.end();
  });

  async listen() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = this.server.address().port;
  }
}

class ApiClient {
  token = 't1';

  constructor(port) {
    this.port = port;
  }

  async send(path, headers = {}) {
    const request = http.get({ port: this.port, host: '127.0.0.1', path, headers, agent: false });
    const [response] = await once(request, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode, text };
  }

  async refresh() {
    this.token = (await this.send('/token')).text;
  }

  async get(path) {
    const first = await this.send(path, { authorization: this.token });
    if (first.status !== 401) return first.status;
    await this.refresh();
    const { token } = this;
    return (await this.send(path, { authorization: token })).status;
  }
}

class SharedRefresh extends ApiClient {
  refreshing = null;

  refresh() {
    this.refreshing ??= super.refresh().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  async get(path) {
    for (let tries = 0; ; tries++) {
      const { token } = this;
      const { status } = await this.send(path, { authorization: token });
      if (status !== 401 || tries === 3) return status;
      if (token === this.token) await this.refresh();
    }
  }
}

async function fetched(Kind) {
  const api = new Api();
  await api.listen();
  const client = new Kind(api.port);
  // The token is revoked when the day ends, long after the requests in the usual run.
  const revoked = sleep(400).then(() => (api.valid = 'none'));
  const statuses = await Promise.all(['/orders', '/invoices'].map((path) => client.get(path)));
  await revoked;
  api.server.close();
  assert.deepEqual(statuses, [200, 200]);
}

test('racy', () => fetched(ApiClient));
test('repaired', () => fetched(SharedRefresh));
