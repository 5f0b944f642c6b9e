/** The first version lived for one release. */
export const onlyRelease126 = { introduced: '1.26', removed: '1.27' } as const;
