// An HTTP service whose requests wait for the database to be open.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Database extends EventEmitter {
  isOpen = false;
  rows = new Map([['1', 'lamp']]);

  open() {
    this.isOpen = true;
    this.emit('open');
  }
}

class Service {
  constructor(database) {
    this.database = database;
    this.server = http.createServer((request, response) => {
      this.answer(request.url.slice(1)).then((row) => response.end(row));
    });
  }

  async answer(id) {
    const settings = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    await this.ready();
    return `${settings.name}:${this.database.rows.get(id)}`;
  }

  async ready() {
    await once(this.database, 'open');
  }

  async listen() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this.server.address().port;
  }
}

class PatientService extends Service {
  async ready() {
    if (!this.database.isOpen) await once(this.database, 'open');
  }
}

async function asked(Kind) {
  const database = new Database();
  const service = new Kind(database);
  const port = await service.listen();
  const opened = sleep(300).then(() => database.open());
  const response = await fetch(`http://127.0.0.1:${port}/1`, { headers: { connection: 'close' } });
  assert.equal(await response.text(), 'recall:lamp');
  await opened;
  service.server.close();
}

test('racy', () => asked(Service));
test('repaired', () => asked(PatientService));
