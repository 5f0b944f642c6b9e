import type { AdmissionPlugin } from '../types.ts';

/** `AlwaysAdmit` (deprecated): admits every write. */
export const alwaysAdmit = (): AdmissionPlugin => ({ name: 'AlwaysAdmit', handles: () => false });

/** `AlwaysDeny` (deprecated): refuses every write. */
export const alwaysDeny = (): AdmissionPlugin => ({
  name: 'AlwaysDeny',
  handles: () => true,
  validate: () => 'the admission plugin AlwaysDeny refuses all writes',
});
