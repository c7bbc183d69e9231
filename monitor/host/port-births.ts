/** When ports were made: messages come in the order of their ports, and ports are told apart by it. */
import { RECEIVING, symbolOf } from '../symbols.ts';
import type { HostRequests } from './controller.ts';

interface Birth {
  /** The run in which the port was made. */
  readonly root: object;
  readonly place: number;
  readonly nth: number;
}

export class PortBirths {
  private readonly controller: HostRequests;
  private readonly births = new WeakMap<object, Birth>();
  private latest: Pick<Birth, 'root' | 'nth'> = { root: {}, nth: 0 };

  constructor(controller: HostRequests) {
    this.controller = controller;
    watchBirths((port) => this.note(port));
  }

  /** A port was made, or has come with a message. */
  note(port: object): void {
    const { controller, latest } = this;
    if (!controller.active('MessagePort')) return;
    const { root } = controller;
    this.latest = { root, nth: latest.root === root ? latest.nth + 1 : 1 };
    this.births.set(port, { ...this.latest, place: controller.place() });
  }

  /** It was made in the present run. */
  knows(port: object): boolean {
    return this.of(port) !== null;
  }

  /** For people, and the same in every run that makes its ports in the same order. */
  nameOf(port: object): string {
    const birth = this.of(port);
    return birth ? `port ${birth.nth}` : '';
  }

  /** Its position among all that is issued; before all else that was older than the run. */
  placeOf(port: object): number {
    return this.of(port)?.place ?? -1;
  }

  private of(port: object): Birth | null {
    const birth = this.births.get(port);
    return birth?.root === this.controller.root ? birth : null;
  }
}

type Born = (port: object) => void;

const listeners = new Set<Born>();
let watched = false;

/** Has `born` called for every port that is made in this thread, until the function that it returns is called. */
export function watchBirths(born: Born): () => void {
  watched ||= watch();
  if (!watched) throw new Error(`Node ${process.version} hands out ports in another way`);
  listeners.add(born);
  return () => listeners.delete(born);
}

/** The key under which a port has what it receives is the last that Node sets on a new port. */
function watch(): boolean {
  const { port1 } = new MessageChannel();
  port1.close();
  const receiving = symbolOf(port1, RECEIVING);
  if (!receiving) return false;
  Object.defineProperty(MessagePort.prototype, receiving, {
    configurable: true,
    set(this: object, value: unknown) {
      Object.defineProperty(this, receiving, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      for (const born of listeners) born(this);
    },
  });
  return true;
}
