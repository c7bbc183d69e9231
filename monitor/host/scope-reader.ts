/** Variables of Node's own modules, reached through an in-process inspector session: no flag is needed. */
import { Session } from 'node:inspector';

const HANDLE = '__unweaveInnards';

/** Reads variables out of the closure of a function. */
export class ScopeReader {
  private readonly session = new Session();
  private readonly globals = globalThis as unknown as Record<string, unknown>;

  constructor() {
    this.session.connect();
  }

  close(): void {
    this.session.disconnect();
    delete this.globals[HANDLE];
  }

  scopes(fn: Function, names: readonly string[], all = true): Record<string, any> {
    const found: Record<string, any> = {};
    this.globals[HANDLE] = { fn, found };
    const holder = this.post('Runtime.evaluate', { expression: HANDLE }).result.objectId;
    const target = this.post('Runtime.evaluate', { expression: `${HANDLE}.fn` }).result.objectId;
    const internal = this.properties(target).internalProperties;
    const list = internal.find((p: { name: string }) => p.name === '[[Scopes]]').value.objectId;
    for (const scope of this.properties(list).result) {
      // The global scope has no variable of Node's modules, and it is large.
      if (scope.value?.description?.startsWith('Global')) continue;
      for (const variable of this.properties(scope.value.objectId).result) {
        if (!names.includes(variable.name) || variable.name in found || !variable.value?.objectId) continue;
        this.post('Runtime.callFunctionOn', {
          objectId: holder,
          functionDeclaration: 'function (name, value) { this.found[name] = value; }',
          arguments: [{ value: variable.name }, { objectId: variable.value.objectId }],
        });
      }
    }
    for (const name of names)
      if (all && !(name in found)) throw new Error(`Node ${process.version} has no ${name} where it was`);
    return found;
  }

  /** A function that no closure in reach refers to: found on the heap by its name. */
  named(name: string): Function {
    const found: { fn?: Function } = {};
    this.globals[HANDLE] = found;
    const holder = this.post('Runtime.evaluate', { expression: HANDLE }).result.objectId;
    const prototype = this.post('Runtime.evaluate', { expression: 'Function.prototype' }).result.objectId;
    const all = this.post('Runtime.queryObjects', { prototypeObjectId: prototype }).objects.objectId;
    this.post('Runtime.callFunctionOn', {
      objectId: holder,
      functionDeclaration: `function (all, name) {
        for (const fn of all) {
          const own = Object.getOwnPropertyDescriptor(fn, 'name');
          if (own && own.value === name && String(fn).includes('listOnTimeout')) this.fn = fn;
        }
      }`,
      arguments: [{ objectId: all }, { value: name }],
    });
    if (!found.fn) throw new Error(`Node ${process.version} has no ${name} where it was`);
    return found.fn;
  }

  private properties(objectId: string): any {
    return this.post('Runtime.getProperties', { objectId, ownProperties: true });
  }

  /** An in-process session answers before `post` returns. */
  private post(method: string, params: object): any {
    let answer: any;
    this.session.post(method as 'Runtime.evaluate', params as any, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}
