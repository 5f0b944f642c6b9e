import { testSeeds } from '../seed-tests.ts';

testSeeds(1001, 1500);
