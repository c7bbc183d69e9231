/** How many events of the trace come before a schedule of threads, as observed. */
export const SEVENTH = 'ALTER TABLE thread_cut_points ADD COLUMN observed INTEGER NOT NULL DEFAULT 0';
