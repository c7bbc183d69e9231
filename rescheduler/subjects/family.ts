/**
 * Which processes of a command are its own. A command may stand behind others (npm, a runner, a runner of the user's
 * own); but what a test or a script has started is part of it, and never to be looked at by itself.
 */
export interface Member {
  /** The nearest process above it. */
  readonly within: string | null;
  /** It runs a file of the user, and not that of a tool. */
  readonly isUsers: boolean;
  /** It carries out tests, whether they are seen or not. */
  readonly isRunner: boolean;
}

export class Family {
  private readonly members: ReadonlyMap<string, Member>;
  /** Processes whose file has registered tests. */
  private readonly testing: ReadonlySet<string | null>;
  /** Processes that tests of the command's own have above them. */
  private readonly launching = new Set<string>();

  /** `testing`: for each recorded test the process that ran it. */
  constructor(members: ReadonlyMap<string, Member>, testing: readonly (string | null)[]) {
    this.members = members;
    this.testing = new Set(testing);
    for (const name of this.testing)
      if (this.ownsTestsOf(name)) for (const above of this.above(name)) this.launching.add(above);
  }

  /** Tests of this process are the command's: no other test has started it. */
  ownsTestsOf(name: string | null): boolean {
    return this.above(name).every((above) => !this.testing.has(above));
  }

  /** The file of this process is the command's if it is one of tests. */
  ownsFileOf(name: string): boolean {
    return this.above(name).every((above) => !this.isSubject(above) || this.launching.has(above));
  }

  /** The file of this process is the command's whatever it is: no file of the user has started it. */
  ownsScriptOf(name: string): boolean {
    return !this.above(name).some((above) => this.isSubject(above));
  }

  /** The second has started the first, or who did. */
  isWithin(name: string, other: string): boolean {
    return this.above(name).includes(other);
  }

  /** It is there to start the tests of the command. */
  launchesTests(name: string): boolean {
    return this.launching.has(name);
  }

  /** The runner's own process is one where it has the files of tests in it. */
  private isSubject(name: string): boolean {
    const { isUsers, isRunner } = this.members.get(name)!;
    return isUsers || isRunner || this.testing.has(name);
  }

  private above(name: string | null): string[] {
    const all: string[] = [];
    let at: string | null = name;
    while ((at = this.members.get(at ?? '')?.within ?? null) !== null && this.members.has(at)) all.push(at);
    return all;
  }
}
