/** Reading and writing STD traces: what is accepted, what is refused and how, and what survives a round trip. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { TraceError } from '../../../data/threads/error.ts';
import { linesOf, readStd } from '../../../data/threads/std-reader.ts';
import { stdLines } from '../../../data/threads/std-writer.ts';
import { Op } from '../../../data/threads/trace.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { representatives } from '../../../predictor/threads/representatives.ts';
import { CLASSES, choices, generate } from '../../predictor/threads/generate.ts';

const refusal = (text: string): string => {
  try {
    readStd([text]);
    return '';
  } catch (error) {
    assert.ok(error instanceof TraceError);
    return error.message;
  }
};

test('the example of the format', () => {
  const { events, names } = readStd([
    'T0|r(V123)|345\nT1|w(V234.23[0])|456\nT0|fork(T2)|123\nT2|acq(L34)|120\nT2|rel(L34)|130\nT0|join(T2)|134\n',
  ]);
  assert.deepEqual([...events.op], [Op.Read, Op.Write, Op.Fork, Op.Acquire, Op.Release, Op.Join]);
  assert.deepEqual(names.threads, ['T0', 'T1', 'T2']);
  assert.deepEqual(names.entities, ['V123', 'V234.23[0]']);
  assert.deepEqual(names.points, ['345', '456', '123', '120', '130', '134']);
});

test('begin and end are read with and without an operand', () => {
  const { events } = readStd(['A|begin|0\nA|begin(f(x))|0\nA|end()|0\nA|end|0\n']);
  assert.deepEqual([...events.op], [Op.Begin, Op.Begin, Op.End, Op.End]);
});

test('line ends of both kinds, a missing last one, empty lines at the end', () => {
  for (const text of ['A|r(x)|1\nA|w(x)|2', 'A|r(x)|1\r\nA|w(x)|2\r\n', 'A|r(x)|1\nA|w(x)|2\n\n\n'])
    assert.equal(readStd([text]).events.length, 2);
});

test('lines do not depend on where the pieces of a file end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', 'bc')), fc.array(fc.nat(30)), (parts, cuts) => {
      const text = parts.join('');
      const at = [...new Set(cuts)].sort((a, b) => a - b);
      const pieces = [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
      assert.deepEqual([...linesOf(pieces)], [...linesOf([text])]);
    }),
    { seed: 1 },
  );
});

describe('refused, with the line', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['A|r(x)\n', /^line 1: expected thread\|operation\(operand\)\|location$/],
    ['A|r(x)|\n', /^line 1: expected/],
    ['|r(x)|1\n', /^line 1: expected/],
    ['A|r(x)|1|2\n', /^line 1: expected/],
    ['A|r x|1\n', /^line 1: unknown operation "r x"$/],
    ['A|r|1\n', /^line 1: r without \(operand\)$/],
    ['A|r(x|1\n', /^line 1: r without \(operand\)$/],
    ['A|r()|1\n', /^line 1: r of nothing$/],
    ['A|r(x y)|1\n', /^line 1: entity "x y" is not a name$/],
    ['A|\u001b(x)|1\n', /^line 1: unknown operation "\?"$/],
    ['A|racq(l)|1\nB|acq(l)|1\n', /^line 2: B acquires l, which A holds$/],
    ['A|acq(l)|1\nB|racq(l)|1\n', /^line 2: B acquires l, which A holds$/],
    ['A|acq(l)|1\nA|rrel(l)|1\n', /^line 2: A releases l, which it does not hold for reading$/],
    ['A|acq(l)|1\nA|acq(l)|1\nA|rel(l)|1\nB|acq(l)|1\n', /^line 4: B acquires l, which A holds$/],
    ['A|fork(A)|1\n', /^line 1: A forks itself$/],
    ['A|fork(B)|1\nA|fork(B)|1\n', /^line 2: A forks B, which was forked before$/],
    ['B|r(x)|1\nA|fork(B)|1\n', /^line 2: A forks B, which ran before$/],
    ['A|fork(B)|1\nA|join(B)|1\nB|r(x)|1\n', /^line 3: B runs after it was joined$/],
    ['A|join(A)|1\n', /^line 1: A joins itself$/],
    ['A|end(m)|1\n', /^line 1: A ends a transaction that it did not begin$/],
    ['A|recv(m)|1\n', /^line 1: A receives from m, to which nobody sent$/],
    ['A|leave(b)|1\n', /^line 1: A leaves b, at which it did not arrive$/],
    [`A|r(${'x'.repeat(100_000)}`, /^line 1: too long for a line of a trace$/],
  ];
  for (const [text, message] of cases)
    test(JSON.stringify(text.slice(0, 50)), () => assert.match(refusal(text), message));
});

test('shared and re-entrant holds are counted', () => {
  const text =
    'A|racq(l)|1\nB|racq(l)|1\nA|racq(l)|1\nA|rrel(l)|1\nA|rrel(l)|1\nB|acq(l)|1\nB|rel(l)|1\nB|rrel(l)|1\nA|acq(l)|1\n';
  assert.equal(refusal(text), '');
});

test('changed traces are read or refused in one line, and nothing else happens', () => {
  let [read, refused] = [0, 0];
  const edit = fc.record({
    at: fc.nat(),
    drop: fc.nat(4),
    put: fc.constantFrom('', '|', '\n', '(', 'rel(L1)', '\u0000', 'T1'),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(CLASSES)),
      fc.array(fc.nat(0xffff), { minLength: 100, maxLength: 100 }),
      fc.array(edit, { maxLength: 4 }),
      (kind, list, edits) => {
        let text = generate(kind, choices(list));
        for (const { at, drop, put } of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + put + text.slice(from + drop);
        }
        const message = refusal(text);
        if (message === '') read += 1;
        else refused += 1;
        assert.equal(message.includes('\n'), false);
      },
    ),
    { seed: 2, numRuns: 2000 },
  );
  assert.ok(read > 100 && refused > 500, `${read} read, ${refused} refused`);
});

test('arbitrary bytes are refused in one line', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
      const message = refusal(Buffer.from(bytes).toString());
      assert.notEqual(message, '');
      assert.match(message, /^[^\n]*$/);
    }),
    { seed: 3, numRuns: 1000 },
  );
});

describe('written', () => {
  test('what is read and written is the same, but for what other tools misread', () => {
    const text =
      'A|begin(0)|1\nA|acq(l)|2\nA|r(x)|3\nA|fork(B)|4\nB|w(x)|5\nA|join(B)|6\nA|rel(l)|7\nA|end(0)|8\n';
    assert.equal([...stdLines(readStd([text]))].join(''), text);
  });
  test('outermost acquires and releases only, no fork of a thread without events', () => {
    const text = 'A|acq(l)|1\nA|acq(l)|2\nA|rel(l)|3\nA|fork(B)|4\nA|join(B)|5\nA|rel(l)|6\n';
    assert.equal([...stdLines(readStd([text]))].join(''), 'A|acq(l)|1\nA|rel(l)|6\n');
  });
  test('names of our own traces are spelled so that they can be read back', () => {
    const { events } = readStd(['A|r(x)|1\n']);
    const names = {
      threads: ['a b'],
      entities: ['x|y%'],
      locks: [],
      channels: [],
      points: ['f (1)\n'],
      transactions: [],
    };
    const [line] = stdLines({ events, names });
    assert.equal(line, 'a%20b|r(x%7Cy%25)|f%20(1)%0A\n');
    assert.equal(refusal(line!), '');
  });
  test('every random trace without inner pairs survives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('not nested', 'read-write locks', 'barriers and messages'),
        fc.array(fc.nat(0xffff), { minLength: 100, maxLength: 100 }),
        (name, list) => {
          const text = generate(CLASSES[name]!, choices(list)).replaceAll('(m)', '(0)');
          assert.equal([...stdLines(readStd([text]))].join(''), text);
        },
      ),
      { seed: 4 },
    );
  });
});

describe('junk', () => {
  const KINDS = Object.values(CLASSES);
  /** A valid trace with some of its bytes changed, lines swapped, doubled or cut. */
  const damaged = fc
    .tuple(
      fc.constantFrom(...KINDS),
      fc.array(fc.nat(0xffff), { minLength: 200, maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(5), fc.nat(0xffff), fc.nat(0xffff)), { minLength: 1, maxLength: 4 }),
    )
    .map(([kind, list, damages]) => {
      let text = generate(kind, choices(list));
      for (const [what, a, b] of damages) {
        const lines = text.split('\n');
        const [i, j] = [a % lines.length, b % lines.length];
        if (what === 0) [lines[i], lines[j]] = [lines[j]!, lines[i]!];
        else if (what === 1) lines.splice(i, 1);
        else if (what === 2) lines.splice(i, 0, lines[j]!);
        else if (what === 3) lines[i] = lines[i]!.slice(0, b % (lines[i]!.length + 1));
        text = lines.join('\n');
        const at = a % Math.max(1, text.length);
        if (what > 3) text = text.slice(0, at) + String.fromCharCode(b % 0x300) + text.slice(at + 1);
      }
      return text;
    });

  test('is refused in one line with its number, or is a trace that can be predicted from', () => {
    let [refused, read] = [0, 0];
    fc.assert(
      fc.property(damaged, fc.nat(400), (text, cut) => {
        const outcome = (pieces: readonly string[]) => {
          try {
            return readStd(pieces);
          } catch (error) {
            assert.ok(error instanceof TraceError, String(error));
            assert.equal(error.message.includes('\n'), false);
            return error.message;
          }
        };
        const whole = outcome([text]);
        assert.deepEqual(outcome([text.slice(0, cut), text.slice(cut)]), whole);
        if (typeof whole === 'string') {
          refused += 1;
          assert.match(whole, /^(line \d+: |holds no event)/);
        } else {
          read += 1;
          representatives(whole, newTally());
        }
      }),
      { numRuns: 3000, seed: 16 },
    );
    assert.ok(refused > 500 && read > 200, `${refused} refused, ${read} read`);
  });
});
