#!/usr/bin/env node
// Imports nothing statically: an old Node would die on the syntax of what it imports before saying why.
const major = Number(process.versions.node.split('.')[0]);

if (major < 24) {
  console.error(`unweave: needs Node.js 24 or newer; this is ${process.version}`);
  process.exitCode = 2;
} else {
  import('../monitor/loader/own-modules.ts')
    .then(function load() {
      return import('./main.ts');
    })
    .then(function run(main) {
      return main.start();
    });
}

export {};
