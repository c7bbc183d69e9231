/** What is compiled as CommonJS in this thread, whoever has read it. */
import { Module } from 'node:module';

type Compile = (this: unknown, content: unknown, filename: string, ...rest: unknown[]) => unknown;

/** From here on each text is compiled as `rewrite` has it. */
export function onCompile(rewrite: (text: string, file: string) => string): void {
  const methods = (Module as unknown as { prototype: { _compile: Compile } }).prototype;
  const compile = methods._compile;
  methods._compile = function _compile(content, filename, ...rest) {
    const text = typeof content === 'string' ? rewrite(content, filename) : content;
    return Reflect.apply(compile, this, [text, filename, ...rest]);
  };
}
