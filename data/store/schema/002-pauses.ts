/** How long a pause of the CPU an executed order presumes. */
export const SECOND = 'ALTER TABLE runs ADD COLUMN required_pause REAL NOT NULL DEFAULT 0';
