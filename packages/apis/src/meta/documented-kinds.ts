import { APIGroup, APIGroupList, APIResourceList, APIVersions, VersionInfo } from './discovery.ts';
import { ListMeta } from './list-meta.ts';
import { DeleteOptions } from './options.ts';
import { Status } from './status.ts';
import { WatchEvent } from './watch-event.ts';

/** The kinds without a resource that OpenAPI documents describe. */
export const documentedKinds = {
  listMeta: ListMeta,
  deleteOptions: DeleteOptions,
  status: Status,
  watchEvent: WatchEvent,
  apiVersions: APIVersions,
  apiGroup: APIGroup,
  apiGroupList: APIGroupList,
  apiResourceList: APIResourceList,
  versionInfo: VersionInfo,
};
