import { admissionDefects } from './admission-defects.ts';
import { cacheDefects } from './cache-defects.ts';
import { electionDefects } from './election-defects.ts';
import { extensionDefects } from './extension-defects.ts';
import { flowDefects } from './flow-defects.ts';
import { queueDefects } from './queue-defects.ts';
import { registryDefects } from './registry-defects.ts';
import { storageDefects } from './storage-defects.ts';
import { storeMoveDefects } from './store-move-defects.ts';

export const plantedDefects = [
  ...storageDefects,
  ...storeMoveDefects,
  ...cacheDefects,
  ...registryDefects,
  ...admissionDefects,
  ...flowDefects,
  ...extensionDefects,
  ...electionDefects,
  ...queueDefects,
];
