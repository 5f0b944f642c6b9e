import { testSeeds } from '../seed-tests.ts';

testSeeds(1501, 2000);
