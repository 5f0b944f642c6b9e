import type { Lens } from '@orch/schema';
import { exactFields, isExact } from './request.ts';

/** What later versions have in `exactly` is part of the request itself in the first version. */
export const requestLens: Lens = {
  toHub(request) {
    const exact = isExact(request);
    const exactly = Object.fromEntries(
      exactFields.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
    );
    for (const name of exactFields) delete request[name];
    if (exact) request['exactly'] = exactly;
  },
  fromHub(request) {
    const { exactly } = request;
    delete request['exactly'];
    Object.assign(request, exactly);
  },
};
