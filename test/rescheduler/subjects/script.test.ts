import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { besideOf } from '../../../predictor/beside.ts';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { fixedProject, observed, options, project } from './projects.ts';

async function script(text: string, name = 'main.mjs', ...args: string[]) {
  const found = await recordCommand(['node', name, ...args], { cwd: project({ [name]: text }) });
  assert.equal(found.length, 1);
  return found[0]!;
}

test('a script with a lost update', async () => {
  const [subject] = await recordCommand(['node', 'main.js'], { cwd: fixedProject('script') });
  assert.deepEqual([subject!.id, subject!.kind], ['main.js:main.js', 'script']);
  const { trace, result } = await subject!.record(options());
  assert.equal(result.outcome, 'pass');
  assert.equal(trace.activations[0]!.kind, 'root');
  assert.equal(trace.activations.filter((a) => a.name === 'increment').length, 2);
  for (let seed = 0; ; seed++) {
    const run = await subject!.execute({ kind: 'random', seed }, options());
    if (run.outcome === 'pass') continue;
    assert.equal(run.failure?.kind, 'assertion');
    const fresh = await subject!.executeFresh({ kind: 'random', seed }, options());
    assert.deepEqual([fresh.failure?.fingerprint, fresh.steps], [run.failure?.fingerprint, run.steps]);
    break;
  }
});

test('a script that Node finds by its folder, or whose extension it adds', async () => {
  const cwd = project({ 'test/index.js': '' });
  for (const name of ['test', './test/', 'test/index'])
    assert.deepEqual(
      (await recordCommand(['node', name], { cwd })).map(({ id, kind }) => [id, kind]),
      [['test/index.js:test/index.js', 'script']],
    );
});

test('a script that a wrapper of coverage stands in front of, which is gone when it is run again', async () => {
  const wrapper = '.node-spawn-wrap-1-a/node';
  const cwd = project({
    [wrapper]: `const { resolve } = require('node:path'); require('node:fs').rmSync(__dirname, { recursive: true });
      process.argv.splice(1, 1); process.argv[1] = resolve(process.argv[1]); require('node:module').runMain();`,
    'main.js': `require('node:assert').equal(process.argv[2], 'given');`,
  });
  const [subject] = await recordCommand(['node', wrapper, 'main.js', 'given'], { cwd });
  assert.equal(subject!.id, 'main.js:main.js given');
  assert.equal((await subject!.executeFresh(observed, options())).outcome, 'pass');
});

test('the command of tape, which runs its files as a script does', async () => {
  const cwd = project({
    'node_modules/.bin/tape': `Promise.resolve().then(() => require(require('node:path').resolve(process.argv[2])));`,
    'main.js': `async function wait(ms) { await require('node:timers/promises').setTimeout(ms); } wait(1); wait(2);`,
  });
  const [subject] = await recordCommand(['node', 'node_modules/.bin/tape', 'main.js'], { cwd });
  assert.deepEqual([subject!.id, subject!.kind], ['main.js:tape main.js', 'script']);
  const { trace, result } = await subject!.record(options());
  assert.equal(result.outcome, 'pass');
  assert.equal(trace.activations.filter((a) => a.name === 'wait').length, 2);
});

test('a script that takes longer than a forced run may is recorded all the same', async () => {
  const subject = await script(`
    import { execFileSync } from 'node:child_process'; import { setTimeout } from 'node:timers/promises';
    for (let i = 0; i < 4; i++) { execFileSync('sleep', ['0.3']); await setTimeout(1); }`);
  const { result } = await subject.record(options({ watchdogMs: 600 }));
  assert.deepEqual([result.outcome, result.overtime], ['pass', true]);
});

test('a script that evaluates a module which throws, although accesses wait to be told', async () => {
  const cwd = project({
    'main.js': `
      const { SourceTextModule } = require('node:vm');
      const state = { caught: 0 };
      async function evaluate() {
        const module = new SourceTextModule('throw new Error();');
        await module.link(() => {});
        state.caught++;
        try { await module.evaluate(); } catch { return; }
        state.caught--;
      }
      process.on('uncaughtException', () => (state.caught = 0));
      evaluate();
      process.on('exit', () => { if (state.caught !== 1) process.exitCode = 3; });`,
  });
  const command = ['node', '--no-warnings', '--experimental-vm-modules', 'main.js'];
  const [subject] = await recordCommand(command, { cwd });
  assert.equal((await subject!.record(options())).result.outcome, 'pass');
});

test('stacks of errors in a script are as deep as natively, and have no frame of ours', async () => {
  const subject = await script(`
    import { access } from 'node:fs/promises';
    const asks = async () => { await access('/nowhere'); };
    const a = async () => { await asks(); };
    const b = async () => { await a(); };
    const c = async () => { await b(); };
    function deep(n) { return n === 0 ? new Error().stack : deep(n - 1); }
    const framesOf = (stack) => stack.split('\\n').slice(1);
    const judge = (stack, wanted) => {
      const frames = framesOf(stack);
      const others = frames.filter((frame) => !/node:internal|main\\.mjs|<anonymous>/.test(frame));
      if (!wanted(frames) || others.length > 0) throw new Error('told otherwise: ' + stack.replaceAll('    at', ' /'));
    };
    const waits = async () => {
      try { await c(); } catch ({ stack }) {
        judge(stack, (frames) => ['asks', 'a', 'b', 'c', 'waits'].every((name) => frames.some((f) => f.includes('at async ' + name + ' '))));
      }
    };
    await waits();
    setTimeout(() => {
      judge(deep(1), (frames) => frames.length < 10);
      judge(deep(30), (frames) => frames.length === 10);
      Error.stackTraceLimit = 20;
      judge(deep(30), (frames) => frames.length === 20);
      setTimeout(() => judge(deep(30), (frames) => frames.length === 20), 1);
    }, 1);`);
  const { outcome, failure } = await subject.execute(observed, options());
  assert.deepEqual([outcome, failure?.message], ['pass', undefined]);
});

describe('a script ends', () => {
  const ends = async (text: string, name?: string, ...args: string[]) => {
    const { outcome, failure } = await (await script(text, name, ...args)).execute(observed, options());
    return [outcome, failure?.name];
  };
  test('when nothing is left to do, not with its last line', async () =>
    assert.deepEqual(await ends(`setTimeout(() => { throw new RangeError() }, 20)`), ['fail', 'RangeError']));
  test('with an exit code', async () => {
    assert.deepEqual(await ends('process.exitCode = 3'), ['fail', 'ExitCode']);
    assert.deepEqual(await ends("process.on('exit', () => (process.exitCode = 3))"), ['fail', 'ExitCode']);
    assert.deepEqual(await ends('process.exit(3)'), ['fail', 'ProcessExit']);
    assert.deepEqual(await ends('setTimeout(() => process.exit(0), 5)'), ['pass', undefined]);
  });
  test('with hooks of promises that hear of its own alone', async () => {
    const text = `
      const { promiseHooks } = require('node:v8');
      const heard = { init: 0, before: 0, after: 0, settled: 0 };
      const hook = (name) => () => { heard[name]++; };
      promiseHooks.createHook({ init: hook('init'), before: hook('before'), after: hook('after'), settled: hook('settled') });
      Promise.resolve(1).then(() => {});
      setTimeout(() => {}, 1);
      process.on('exit', () => { if (Object.values(heard).join() !== '2,1,1,2') process.exitCode = 3; });`;
    assert.deepEqual(await ends(text, 'main.cjs'), ['pass', undefined]);
  });
  test('with what it requires asked for in its own name, once, also where there is none', async () => {
    const text = `
      const heard = [];
      require('node:diagnostics_channel').tracingChannel('module.require').subscribe({
        start: ({ parentFilename, id }) => heard.push(parentFilename === __filename && id),
      });
      require('node:punycode');
      try { require('nowhere'); } catch ({ code }) { heard.push(code); }
      if (heard.join() !== 'node:punycode,nowhere,MODULE_NOT_FOUND') process.exitCode = 3;`;
    assert.deepEqual(await ends(text, 'main.cjs'), ['pass', undefined]);
  });
  test('where functions that others stand in for have their own text, and nothing was matched before', async () => {
    const text = `
      if (RegExp.lastMatch !== '' || RegExp.input !== '') process.exitCode = 4;
      const { toString } = Function.prototype;
      const fs = require('node:fs');
      const native = (name) => 'function ' + name + '() { [native code] }';
      if (String(Date) !== native('Date') || toString.call(Date.now) !== native('now')) process.exitCode = 3;
      for (const fn of [fs.watch, performance.now]) if (/controller|__cov/.test(toString.call(fn))) process.exitCode = 5;`;
    assert.deepEqual(await ends(text, 'main.cjs'), ['pass', undefined]);
  });
  test('by what Node calls last, past its listeners', async () => {
    const text =
      "process.on('exit', () => (process.exitCode = 3)); setTimeout(() => process.reallyExit(0), 1);";
    assert.deepEqual(await ends(text), ['pass', undefined]);
  });
  test('with timers that are left as they are, also where it clears them then', async () => {
    const text = `
      const left = [setInterval(() => {}, 1).unref(), setTimeout(() => {}, 1e6).unref()];
      setTimeout(() => {}, 5);
      process.on('exit', () => {
        if (left.some(({ _destroyed: is }) => is)) process.exitCode = 3;
        left[1].ref().unref();
        clearInterval(left[0]);
        clearTimeout(left[1]);
        if (!left[0]._destroyed || !left[1]._destroyed) process.exitCode = 4;
      });`;
    assert.deepEqual(await ends(text, 'main.cjs'), ['pass', undefined]);
  });
  test('with a rejection that nobody handles', async () =>
    assert.deepEqual(await ends(`Promise.reject(new RangeError())`), ['fail', 'RangeError']));
  test('with listeners for what nobody handles that are its own alone, also where it takes all away', async () => {
    const text = `
      const counts = () => ['uncaughtException', 'unhandledRejection'].flatMap((event) =>
        [process.listenerCount(event), process.listeners(event).length, process.rawListeners(event).length]).join('');
      if (counts() !== '000000') process.exitCode = 3;
      process.on('uncaughtException', () => { process.exitCode = 5; });
      if (counts() !== '111000') process.exitCode = 4;
      process.removeAllListeners('uncaughtException');
      process.removeAllListeners('unhandledRejection');
      process.on('unhandledRejection', (reason) => { if (counts() !== '000111' || reason !== 1) process.exitCode = 6; });
      Promise.reject(1);`;
    assert.deepEqual(await ends(text, 'main.cjs'), ['pass', undefined]);
    const gone =
      "for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);";
    assert.deepEqual(await ends(`${gone} Promise.reject(new RangeError());`), ['fail', 'RangeError']);
    assert.deepEqual(await ends(`${gone} setTimeout(() => { throw new RangeError(); }, 1);`), [
      'fail',
      'RangeError',
    ]);
  });
  test('with what its listeners begin that Node calls in no context', async () => {
    const text = `
      process.on('unhandledRejection', () => {});
      let told = false;
      process.on('rejectionHandled', () => setTimeout(() => { told = true; }, 30));
      const rejected = Promise.reject(1);
      setTimeout(() => rejected.catch(() => {}), 1);
      setTimeout(() => { if (!told) process.exitCode = 3; }, 1000);`;
    assert.deepEqual(await ends(text, 'main.cjs'), ['pass', undefined]);
  });
  test('with what it throws itself, unless it listens for exceptions', async () => {
    const text =
      "process.on('uncaughtException', (error) => { if (error.message !== 'mine') process.exitCode = 7; });";
    assert.deepEqual(await ends(`${text} throw new Error('mine')`), ['pass', undefined]);
    assert.deepEqual(await ends(`${text} throw new Error('mine')`, 'main.cjs'), ['pass', undefined]);
    assert.deepEqual(await ends(`${text} throw new Error('other')`), ['fail', 'ExitCode']);
    assert.deepEqual(await ends('throw new RangeError()'), ['fail', 'RangeError']);
    const captures = 'process.setUncaughtExceptionCaptureCallback(() => {});';
    assert.deepEqual(await ends(`${captures} throw new RangeError()`, 'main.cjs'), ['pass', undefined]);
  });
  test('as it says, whatever it puts behind `dns` before that is loaded', async () => {
    const text = (how: string, then: string) => `
      const NO_MEMORY = -12;
      process.binding('cares_wrap').getaddrinfo = () => NO_MEMORY;
      ${how}.lookup('example.invalid'${then}`;
    const judge = "(error) => (process.exitCode = error?.code === 'ENOMEM' ? 0 : 3)";
    for (const program of [
      text("require('dns')", `, ${judge});`),
      text("require('dns').promises", `).catch(${judge});`),
      text("require('dns/promises')", `).catch(${judge});`),
    ])
      assert.deepEqual(await ends(program, 'main.cjs'), ['pass', undefined], program);
  });
  test('as it says, with a function of its own around that of a listening server', async () =>
    assert.deepEqual(
      await ends(`
        import net from 'node:net';
        let calls = 0;
        const server = net.createServer((socket) => { socket.destroy(); server.close(); });
        server.listen(0, () => net.connect(server.address().port));
        const { _handle: handle } = server;
        const { onconnection } = handle;
        handle.onconnection = function (...args) { calls++; onconnection.apply(handle, args); };
        process.on('exit', () => { if (calls !== 1) process.exitCode = 3; });`),
      ['pass', undefined],
    ));
  test('with a top-level await that nothing settles', async () =>
    assert.deepEqual(await ends('await new Promise(() => {})'), ['deadlock', 'Deadlock']));
  test('well, although a promise is forgotten', async () =>
    assert.deepEqual(await ends('new Promise(() => {}).then(() => {})'), ['pass', undefined]));
  test('beside a worker that it does not wait for, and behind one that it does', async () => {
    const worker = (then: string) => `import { Worker } from 'node:worker_threads';
      const worker = new Worker('require("node:worker_threads").parentPort.once("message", () => {})', { eval: true });
      worker.once('online', () => { ${then} });
      worker.once('exit', () => { process.exitCode = 7; });`;
    assert.deepEqual(await ends(worker('worker.unref()')), ['pass', undefined]);
    const waited = 'worker.unref(); worker.ref(); setTimeout(() => worker.postMessage(1), 10)';
    assert.deepEqual(await ends(worker(waited)), ['unknown', 'ExitCode']);
  });
  test('beside an immediate that it does not wait for', async () =>
    assert.deepEqual(await ends(`setImmediate(() => { process.exitCode = 7; }).unref()`), [
      'pass',
      undefined,
    ]));
  test('behind a response over HTTP/2 whose file cannot be read', async () => {
    const text = `import http2 from 'node:http2';
      const server = http2.createServer().on('stream', (stream) => stream.on('error', () => {}).respondWithFD(999));
      server.listen(0, () => {
        const client = http2.connect('http://localhost:' + server.address().port);
        const end = () => { client.close(); server.close(); };
        client.request().on('error', () => {}).on('close', end).end();
      });`;
    assert.deepEqual(await ends(text), ['pass', undefined]);
  });
  test('beside a histogram that is not enabled any more', async () => {
    const text = `import { monitorEventLoopDelay } from 'node:perf_hooks';
      const delays = monitorEventLoopDelay(); delays.enable(); delays.disable();
      globalThis.kept = [delays, monitorEventLoopDelay()];`;
    assert.deepEqual(await ends(text), ['pass', undefined]);
  });
  test('beside a connection over TLS that nobody reads to its end', async () => {
    const text = `import tls from 'node:tls';
      const shared = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2', checkServerIdentity: () => undefined };
      const psk = Buffer.from('0123456789abcdef');
      const server = tls.createServer({ ...shared, pskCallback: () => psk }, (socket) => {
        socket.end('bye');
        server.close();
      });
      server.listen(0, () => {
        const client = tls.connect({ ...shared, port: server.address().port, pskCallback: () => ({ psk, identity: 'x' }) });
        client.on('secureConnect', () => client.end('hi'));
      });`;
    assert.deepEqual(await ends(text), ['pass', undefined]);
  });
  test('as CommonJS, with its arguments', async () => {
    const text = `require('node:assert').deepEqual([require.main === module, process.argv.slice(1)], [true, [__filename, 'a', 'b']])`;
    assert.deepEqual(await ends(text, 'main.cjs', 'a', 'b'), ['pass', undefined]);
  });
  // As the mocks of tap do: they look there for who asks for a mock.
  test('with its modules in the cache of Node', async () =>
    assert.deepEqual(
      await ends(
        `const { _cache } = require('node:module');
        if (_cache[__filename] !== module || require.cache[__filename] !== module) throw new Error();`,
        'main.cjs',
      ),
      ['pass', undefined],
    ));
  test('with its first microtasks before its first ticks as a module, behind them as CommonJS', async () => {
    const text = (order: string) => `const order = [];
      process.nextTick(() => order.push('tick')); queueMicrotask(() => order.push('microtask'));
      setTimeout(() => { if (order.join() !== '${order}') throw new Error(order.join()); }, 1);`;
    assert.deepEqual(await ends(text('microtask,tick')), ['pass', undefined]);
    assert.deepEqual(await ends(text('tick,microtask'), 'main.cjs'), ['pass', undefined]);
  });
  test('in TypeScript', async () =>
    assert.deepEqual(await ends('const x: number = 1; if (!import.meta.main) throw x;', 'main.mts'), [
      'pass',
      undefined,
    ]));
  test('with a loader of the user', async () => {
    const cwd = project({
      'main.mjs': `import { answer } from 'virtual:answer'; if (answer !== 42) throw new RangeError();`,
      'loader.mjs': `import { registerHooks } from 'node:module';
        registerHooks({ resolve: (s, c, n) => s === 'virtual:answer' ? { url: 'data:text/javascript,export const answer = 42', shortCircuit: true } : n(s, c) });`,
    });
    const [subject] = await recordCommand(['node', '--import', './loader.mjs', 'main.mjs'], { cwd });
    assert.equal((await subject!.execute(observed, options())).outcome, 'pass');
  });
  test('with hooks in a thread of Node that it has given a port, as tsx has', async () => {
    const cwd = project({
      'main.mjs': `import { readFile } from 'node:fs/promises';
        await Promise.all(['main.mjs', 'hooks.mjs'].map((file) => readFile(file)));
        if ((await import('./one.mjs')).one !== 1) process.exitCode = 1;`,
      'one.mjs': 'export const one = 1;',
      'hooks.mjs': `export const initialize = ({ port }) => port.postMessage('ready');
        export const load = (url, context, next) => next(url, context);`,
      'register.mjs': `import { register } from 'node:module';
        const { port1, port2 } = new MessageChannel();
        register('./hooks.mjs', import.meta.url, { data: { port: port2 }, transferList: [port2] });
        port1.on('message', () => {});
        port1.unref();`,
    });
    const [subject] = await recordCommand(['node', '--import', './register.mjs', 'main.mjs'], { cwd });
    const { trace, result } = await subject!.record(options());
    assert.deepEqual([result.outcome, result.failure], ['pass', null]);
    assert.deepEqual(trace.ungated, {});
  });

  test('as a hook of the user makes CommonJS of it, and Node would not', async () => {
    const cwd = project({
      'package.json': '{}',
      'hook.cjs': `const { readFileSync } = require('node:fs');
        require.extensions['.ts'] = (module, file) => module._compile(
          readFileSync(file, 'utf8').replace(/import ([^;]+) from ([^;]+);/g, 'const $1 = require($2);').replace(/: number/g, ''),
          file,
        );`,
      'two.ts': 'exports.two = 2;',
      'main.ts': `import { two } from './two'; const n: number = two; if (require.main !== module || n !== 2) throw n;`,
    });
    const [subject] = await recordCommand(['node', '-r', './hook.cjs', 'main.ts'], { cwd });
    const { outcome, failure } = await subject!.execute(observed, options());
    assert.deepEqual([outcome, failure?.message], ['pass', undefined]);
  });
  test('where the linker cannot help', async () =>
    assert.deepEqual(await ends(`import { sep } from 'node:path'; if (eval('sep') !== sep) throw 1;`), [
      'pass',
      undefined,
    ]));
});

test('what only takes mocks from the runner is a script', async () => {
  const mocks = await script("import { mock } from 'node:test'; mock.fn()();");
  assert.equal(mocks.kind, 'script');
  const tests = await script("import { test } from 'node:test'; test('x', () => {});");
  assert.equal(tests.kind, 'node-test');
});

test('a script runs under the permission model, whatever it may do', async () => {
  const text = `import { readFileSync, writeFileSync } from 'node:fs';
    readFileSync(import.meta.filename);
    for (const call of [() => writeFileSync('x', ''), () => readFileSync('/etc/hostname')]) {
      let code;
      try { call(); } catch (error) { ({ code } = error); }
      if (code !== 'ERR_ACCESS_DENIED') throw new Error('allowed');
    }`;
  const name = 'main.mjs';
  const cwd = project({ [name]: text });
  const command = ['node', '--permission', `--allow-fs-read=${cwd}/*`, name];
  const [subject] = await recordCommand(command, { cwd });
  const { outcome, failure } = await subject!.execute(observed, options());
  assert.deepEqual([outcome, failure], ['pass', null]);
});

test('without late answers the plain run of a script is the command of the user', async () => {
  const hook =
    "require('node:v8').promiseHooks.onInit(() => { process.exitCode = 3; }); setTimeout(() => {}, 1);";
  const { outcome } = await (await script(hook, 'main.cjs')).executePlain(null, options());
  assert.equal(outcome, 'pass');
  const red = await (await script('process.exitCode = 3')).executePlain(null, options());
  assert.deepEqual([red.outcome, red.failure?.message], ['fail', 'exit code 3']);
});

test('files that a script runs in other processes are told, also where it leaves without a word', async () => {
  const cwd = project({
    'main.mjs': `import { spawnSync } from 'node:child_process';
      for (const file of ['one.mjs', 'two.mjs', 'one.mjs']) spawnSync(process.execPath, [file]);
      process.reallyExit(0);`,
    'one.mjs': '',
    'two.mjs': '',
  });
  const [subject] = await recordCommand(['node', 'main.mjs'], { cwd });
  assert.equal(subject!.kind, 'script');
  const { result, trace } = await subject!.record(options());
  assert.deepEqual(
    besideOf(trace).map(({ processes, within }) => [processes, within]),
    [
      [['one.mjs'], true],
      [['two.mjs'], true],
    ],
  );
  const { outcome, failure } = result;
  assert.deepEqual([outcome, failure], ['pass', null]);
});
