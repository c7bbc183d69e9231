// A circuit breaker: calls that are too slow are counted, and the third in a row opens it.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Breaker {
  failures = 0;
  slow = 0;

  constructor(log) {
    this.log = log;
  }

  async call(work) {
    const answer = await Promise.race([work(), sleep(150, 'slow')]);
    if (answer === 'slow') {
      this.slow += 1;
      await this.fail();
    }
    return answer;
  }

  async fail() {
    const failures = this.failures + 1;
    await appendFile(this.log, 'too slow\n');
    this.failures = failures;
  }
}

class CountingBreaker extends Breaker {
  async fail() {
    this.failures += 1;
    await appendFile(this.log, 'too slow\n');
  }
}

async function called(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const breaker = new Kind(join(dir, 'log'));
  const look = () => readFile(new URL(import.meta.url), 'utf8').then((text) => text.length);
  await Promise.all([breaker.call(look), breaker.call(look), sleep(20).then(() => breaker.call(look))]);
  assert.equal(breaker.failures, breaker.slow);
  await rm(dir, { recursive: true });
}

test('racy', () => called(Breaker));
test('repaired', () => called(CountingBreaker));
