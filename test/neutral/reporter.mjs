/** A reporter of `node:test`: one line of JSON for each test case that is no suite and was not skipped. */
export default async function* reporter(source) {
  const paths = new Map();
  for await (const { type, data } of source) {
    const path = paths.get(data?.file) ?? [];
    if (type === 'test:start') {
      path.length = data.nesting;
      path[data.nesting] = data.name;
      paths.set(data.file, path);
    } else if (
      (type === 'test:pass' || type === 'test:fail') &&
      data.details?.type !== 'suite' &&
      !data.skip
    ) {
      const own = [...path.slice(0, data.nesting), data.name];
      const { file, details } = data;
      yield `${JSON.stringify({ file, path: own, passed: type === 'test:pass', ms: details.duration_ms })}\n`;
    }
  }
}
