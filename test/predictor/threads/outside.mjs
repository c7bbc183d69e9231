/**
 * Checks `unweave predict --std <trace> --all --json -` from outside: `node outside.mjs trace.std found.json`.
 * Imports nothing of the project. Runs every order of the trace (the graph of its states) and compares; replays
 * every schedule, and asks whether it is the least order of its events. Prints what is wrong; exit code 1 then.
 */
import { readFileSync } from 'node:fs';

const [, , tracePath, foundPath] = process.argv;
const events = readFileSync(tracePath, 'utf8')
  .trimEnd()
  .split(/\r?\n/)
  .map((line, index) => {
    const [thread, operation] = line.split('|');
    const [, op, object = ''] = /^(\w+)(?:\((.*)\))?$/.exec(operation);
    return { line: index + 1, thread, op, object };
  });
const found = JSON.parse(readFileSync(foundPath, 'utf8'));

const threads = [...new Set(events.map((e) => e.thread))];
const programs = new Map(threads.map((t) => [t, events.filter((e) => e.thread === t)]));
const forks = new Map(events.filter((e) => e.op === 'fork').map((e) => [e.object, e]));
const complaints = [];

/** What an event needs to be done before it, as a set of lines. */
const needs = new Map();
for (const event of events) {
  const own = programs.get(event.thread);
  const before = own.slice(0, own.indexOf(event));
  if (forks.has(event.thread)) before.push(forks.get(event.thread));
  if (event.op === 'join') before.push(forks.get(event.object), ...(programs.get(event.object) ?? []));
  const earlier = (op) =>
    events.filter((e) => e.line < event.line && e.op === op && e.object === event.object);
  if (event.op === 'recv') before.push(earlier('send').at(-1));
  if (event.op === 'leave') before.push(...earlier('arrive'));
  needs.set(event, before);
}

/** Locks held when these events are done, as "lock/mode/thread" → depth. */
function holds(done) {
  const held = new Map();
  for (const { thread, op, object } of done) {
    const mode = op.startsWith('r') && op.length === 4 ? 'shared' : 'alone';
    const key = `${object}/${mode}/${thread}`;
    if (op === 'acq' || op === 'racq') held.set(key, (held.get(key) ?? 0) + 1);
    if (op === 'rel' || op === 'rrel') held.set(key, held.get(key) - 1);
  }
  return [...held].filter(([, depth]) => depth > 0).map(([key]) => key.split('/'));
}

function mayRun(event, done) {
  if (!needs.get(event).every((e) => done.has(e))) return false;
  if (event.op !== 'acq' && event.op !== 'racq') return true;
  return holds(done).every(
    ([lock, mode, thread]) =>
      lock !== event.object || thread === event.thread || (mode === 'shared' && event.op === 'racq'),
  );
}

const next = (done, thread) => programs.get(thread).find((e) => !done.has(e));
const enabled = (done) => threads.map((t) => next(done, t)).filter((e) => e && mayRun(e, done));
const nameOf = (done) => threads.map((t) => programs.get(t).filter((e) => done.has(e)).length).join();

// Every state, and from which states each event can still be done.
const states = new Map([[nameOf(new Set()), new Set()]]);
const after = new Map();
for (const [name, done] of states) {
  const successors = [];
  for (const event of enabled(done)) {
    const more = new Set([...done, event]);
    const key = nameOf(more);
    successors.push([event, key]);
    if (!states.has(key)) states.set(key, more);
  }
  after.set(name, successors);
}
const bySize = [...states].sort((a, b) => b[1].size - a[1].size);
const reachers = new Map();
function leadsTo(event) {
  if (!reachers.has(event)) {
    const names = new Set();
    for (const [name, done] of bySize)
      if (done.has(event) || after.get(name).some(([, key]) => names.has(key))) names.add(name);
    reachers.set(event, names);
  }
  return reachers.get(event);
}

const block = new Map();
for (const program of programs.values()) {
  let depth = 0;
  let current = null;
  for (const event of program) {
    if (event.op === 'begin' && depth++ === 0) current = event;
    if (depth > 0) block.set(event, current);
    if (event.op === 'end') depth--;
  }
}
const isAccess = (e) => e.op === 'r' || e.op === 'w';
const expected = new Map();
for (const first of events.filter((e) => isAccess(e) && block.has(e)))
  for (const second of programs.get(first.thread)) {
    if (second.line <= first.line || !isAccess(second) || second.object !== first.object) continue;
    if (block.get(second) !== block.get(first)) continue;
    for (const remote of events) {
      if (!isAccess(remote) || remote.object !== first.object || remote.thread === first.thread) continue;
      const pattern = (first.op + remote.op + second.op).toUpperCase();
      if (!['RWR', 'WRW', 'RWW', 'WWR', 'WWW'].includes(pattern)) continue;
      let reached = false;
      let completes = false;
      for (const [name, done] of states) {
        if (!done.has(first) || done.has(second)) continue;
        const step = after.get(name).find(([event]) => event === remote);
        if (!step) continue;
        reached = true;
        completes ||= leadsTo(second).has(step[1]);
      }
      if (reached)
        expected.set(`${pattern} ${first.object} ${first.line} ${remote.line} ${second.line}`, completes);
    }
  }

/** The least order of these events that shows the pattern and ends as it should. */
function least(lines, { first, remote, second, completes }) {
  const wanted = new Set(lines);
  const last = completes ? second : remote;
  const dead = new Set();
  const go = (done, out) => {
    if (out.length === lines.length) return out;
    const key = nameOf(done);
    if (dead.has(key)) return null;
    for (const event of enabled(done).sort((a, b) => a.line - b.line)) {
      if (!wanted.has(event.line)) continue;
      if (event.line === last && out.length < lines.length - 1) continue;
      if (event.line === remote && !out.includes(first)) continue;
      const rest = go(new Set([...done, event]), [...out, event.line]);
      if (rest) return rest;
    }
    dead.add(key);
    return null;
  };
  return go(new Set(), []);
}

for (const row of found) {
  const key = `${row.pattern} ${row.entity} ${row.first} ${row.remote} ${row.second}`;
  if (!expected.has(key)) complaints.push(`${key}: is not reachable`);
  else if (expected.get(key) !== row.completes) complaints.push(`${key}: completes is ${!row.completes}`);
  expected.delete(key);
  const done = new Set();
  for (const line of row.schedule) {
    const event = events[line - 1];
    if (done.has(event) || !mayRun(event, done)) complaints.push(`${key}: line ${line} may not run there`);
    done.add(event);
  }
  const at = (line) => row.schedule.indexOf(line);
  if (at(row.first) < 0 || at(row.remote) < at(row.first)) complaints.push(`${key}: not shown`);
  if (row.schedule.at(-1) !== (row.completes ? row.second : row.remote)) complaints.push(`${key}: wrong end`);
  if (!row.completes && at(row.second) >= 0) complaints.push(`${key}: second is executed`);
  if (least(row.schedule, row)?.join() !== row.schedule.join())
    complaints.push(`${key}: not the least order`);
}
for (const key of expected.keys()) complaints.push(`${key}: missed`);
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.exitCode = complaints.length > 0 ? 1 : 0;
