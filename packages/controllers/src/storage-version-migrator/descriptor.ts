import type { ControllerDescriptor } from '../descriptor.ts';
import { storageVersionMigratorController } from './controller.ts';

export const storageVersionMigrator: ControllerDescriptor = {
  name: 'storage-version-migrator-controller',
  serviceAccount: 'storage-version-migrator-controller',
  onByDefault: true,
  build: (context, { storageVersionMigrator }) => [
    storageVersionMigratorController(context, storageVersionMigrator),
  ],
};
