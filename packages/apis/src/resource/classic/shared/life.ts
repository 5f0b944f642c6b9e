/** The first version was served for one release. */
export const onlyRelease126 = { introduced: '1.26', removed: '1.27' } as const;
