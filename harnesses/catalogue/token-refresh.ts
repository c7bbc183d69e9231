/**
 * An access token that is renewed when it has expired.
 * Bad: two requests find it expired and renew it twice; the refresh token works only once. RWW.
 * Ok: whoever finds a renewal under way joins it.
 */
import assert from 'node:assert/strict';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class ApiClient {
  token: string | null = null;
  readonly grant: string;

  constructor(dir: string) {
    this.grant = join(dir, 'refresh-token');
  }

  async request(): Promise<string> {
    const token = this.token ?? (await this.renewed());
    return `Bearer ${token}`;
  }

  async renewed(): Promise<string> {
    const fresh = await this.exchange();
    this.token = fresh;
    return fresh;
  }

  /** The refresh token is good for one use. */
  async exchange(): Promise<string> {
    const grant = await readFile(this.grant, 'utf8');
    await unlink(this.grant);
    return `access-for-${grant}`;
  }
}

class JoiningApiClient extends ApiClient {
  #renewal: Promise<string> | null = null;

  override async request(): Promise<string> {
    this.#renewal ??= this.renewed();
    const token = this.token ?? (await this.#renewal);
    return `Bearer ${token}`;
  }
}

const withGrant = async (client: ApiClient): Promise<ApiClient> => {
  await writeFile(client.grant, 'ann');
  return client;
};
const expectBearer = async (client: ApiClient): Promise<void> =>
  assert.equal(await client.request(), 'Bearer access-for-ann');

twins<ApiClient>({
  name: 'token-refresh',
  bad: ({ dir }) => withGrant(new ApiClient(dir)),
  ok: ({ dir }) => withGrant(new JoiningApiClient(dir)),
  tasks: {
    profile: expectBearer,
    orders: async (client) => {
      await sleep(80);
      await expectBearer(client);
    },
  },
  check: () => {},
  // The second one fails before it writes the token (RRW), or on the file: read by one, removed by the other, and removed again.
  expect: { pattern: ['RWW', 'RWR', 'RRW'], entityMatch: '^ApiClient#token$|^fs:.*refresh-token' },
});
