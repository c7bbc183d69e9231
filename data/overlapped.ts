/** What of that which tests do one behind the other is made to overlap: their requests, or their calls of the code under test. */
export type Overlapped = 'requests' | 'calls';

export const isOverlapped = (what: unknown): what is Overlapped => what === 'requests' || what === 'calls';
