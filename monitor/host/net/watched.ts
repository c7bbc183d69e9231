/** What libuv waits for at the sockets that only Node's own code reads: nobody but its report tells. */
interface Reported {
  readonly is_active: boolean;
  readonly fd?: number;
}
const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };

/** Descriptors that the loop waits for. Takes some ms. */
export function watchedDescriptors(): ReadonlySet<number> {
  // Else it would look up names of hosts.
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  try {
    const { libuv } = report.getReport() as unknown as { readonly libuv: readonly Reported[] };
    return new Set(libuv.flatMap(({ is_active, fd }) => (is_active && fd !== undefined ? [fd] : [])));
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}
