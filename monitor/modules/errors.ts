/**
 * The warm linker cannot give this module the semantics it has in Node. The program itself is fine: run it
 * in a process of its own.
 */
export class NotLinkable extends Error {
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'NotLinkable';
  }
}
