import { describeLensLaws } from '../../testing/lens-laws.ts';
import { storageVersionMigrations } from './index.ts';

describeLensLaws(storageVersionMigrations);
