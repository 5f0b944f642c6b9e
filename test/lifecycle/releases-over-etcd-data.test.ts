import { describeReleases } from './releases-over-data.ts';

describeReleases('etcd');
