/** Drivers as a list: one from elsewhere, and what a package needs to be seen. */
import assert from 'node:assert/strict';
import { isBuiltin } from 'node:module';
import { test } from 'node:test';
import type { DriverAdapter, DriverHost } from '../../../monitor/drivers/driver.ts';
import { DRIVERS, installDrivers } from '../../../monitor/drivers/install.ts';
import { DRIVER_PACKAGES, packageLoaded } from '../../../monitor/drivers/packages.ts';
import { touch } from '../../../monitor/host/touch.ts';
import { adopt } from '../../../monitor/locks/adapters.ts';

class ToyStore {
  put(_key: string): void {}
}

const toy: DriverAdapter = {
  module: 'toy-store',
  adopt(exports, host) {
    const { prototype } = exports as typeof ToyStore;
    const { put } = prototype;
    prototype.put = function (key) {
      put.call(this, key);
      if (host.active()) touch(host, 'toy.put', key, [{ entity: `toy ${key}`, write: true }]);
    };
  },
};

test('a driver from elsewhere adopts each copy that the program loads, and what it touches are accesses', () => {
  const seen: string[] = [];
  const host = {
    active: () => true,
    frames: { cur: () => null, site: () => -1 },
    turn: null,
    root: {},
    touched: ({ api, accesses }) => {
      for (const { entity, write } of accesses()) seen.push(`${api} ${write ? 'w' : 'r'} ${entity}`);
    },
  } satisfies Pick<DriverHost, 'active' | 'turn' | 'root' | 'touched'> & { frames: object };
  class Other extends ToyStore {
    override put(_key: string): void {}
  }
  packageLoaded(toy.module, ToyStore);
  installDrivers(host as unknown as DriverHost, [toy]);
  packageLoaded(toy.module, Other);
  packageLoaded(toy.module, Other);
  new ToyStore().put('a');
  new Other().put('b');
  assert.deepEqual(seen, ['toy.put w toy a', 'toy.put w toy b']);
});

test('of drivers that are packages the hooks of the loader tell each copy', () => {
  const packages = DRIVERS.filter(({ module }) => !isBuiltin(module)).map(({ module }) => module);
  assert.deepEqual(packages, DRIVER_PACKAGES);
  const adopted: object[] = [];
  const drivers = packages.map((module) => ({ module, adopt: (copy: object) => void adopted.push(copy) }));
  installDrivers({} as DriverHost, drivers);
  const copies = packages.map(() => class {});
  for (const [at, module] of packages.entries()) adopt(module, { default: copies[at] });
  assert.deepEqual(adopted, copies);
});
