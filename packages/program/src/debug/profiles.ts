import type { Session } from 'node:inspector/promises';
import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { type DebugAnswer, type DebugEndpoint, type DebugRequest, secondsOf } from './endpoint.ts';
import { HTTP_OK } from './status.ts';

/** A profile must end before the deadline of a request. */
const bounds = { initial: 10, most: 30 } as const;

/** Mean number of allocated bytes between two samples of a heap profile. */
const SAMPLED_BYTES = 64 * 1024;

/**
 * Profiles of this thread by the inspector of the runtime, which listens on no port. They contain names of functions and
 * files, counts and sizes, and no values of variables.
 */
export const profileEndpoints = (clock: Clock): readonly DebugEndpoint[] => [
  {
    path: '/debug/profile/cpu',
    summary: `CPU profile of ?seconds=${bounds.initial} (at most ${bounds.most}), for DevTools and speedscope.`,
    methods: ['GET'],
    answer: (request) => profiled(clock, request, cpuProfile),
  },
  {
    path: '/debug/profile/heap',
    summary: `Sampled allocations of ?seconds=${bounds.initial} (at most ${bounds.most}) that are still in use, for DevTools.`,
    methods: ['GET'],
    answer: (request) => profiled(clock, request, heapProfile),
  },
];

/** A kind of profile: how to start it, and how to stop it and get its result. */
interface ProfileKind {
  readonly extension: string;
  begin(session: Session): Promise<void>;
  end(session: Session): Promise<object>;
}

const cpuProfile: ProfileKind = {
  extension: 'cpuprofile',
  async begin(session) {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  },
  end: async (session) => (await session.post('Profiler.stop')).profile,
};

const heapProfile: ProfileKind = {
  extension: 'heapprofile',
  begin: (session) => session.post('HeapProfiler.startSampling', { samplingInterval: SAMPLED_BYTES }),
  end: async (session) => (await session.post('HeapProfiler.stopSampling')).profile,
};

async function profiled(clock: Clock, request: DebugRequest, kind: ProfileKind): Promise<DebugAnswer> {
  const seconds = secondsOf(request.query, bounds);
  if (typeof seconds !== 'number') return seconds;
  // Loaded at the first profile: most processes take none.
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await kind.begin(session);
    await sleep(clock, seconds * 1000, request.signal);
    const profile = Buffer.from(JSON.stringify(await kind.end(session)));
    return {
      status: HTTP_OK,
      headers: {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="orch.${kind.extension}"`,
        'Cache-Control': 'no-store',
      },
      body: profile,
    };
  } finally {
    // Stops a profile that is still being recorded.
    session.disconnect();
  }
}
