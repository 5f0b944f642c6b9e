/** What only release 1.31 has: drivers that allocate claims themselves, instead of the scheduler. */
export const controllerOnly = { gate: 'DRAControlPlaneController', since: 'never', until: '1.32' } as const;
