/** The floor of a request to another process: answers each message with one like a run's result. */
const result = { outcome: 'pass', steps: Array.from({ length: 12 }, (_, i) => `D:root.a|setTimeout#${i}`) };

process.on('message', ({ id }: { id: number }) => process.send!({ id, body: { result, trace: null } }));
