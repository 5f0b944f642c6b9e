import { AccessPage } from './access-page.tsx';
import { ExtensionsPage } from './extensions-page.tsx';
import { HealthPage } from './health-page.tsx';
import { RequestsPage } from './requests-page.tsx';
import { TimelinePage } from './timeline-page.tsx';
import type { Tool } from './tool.ts';

/** The pages that show no kind, in the order of the menu. */
export const tools: readonly Tool[] = [
  { word: '~access', title: 'Permissions', Page: AccessPage },
  { word: '~health', title: 'Health', Page: HealthPage },
  { word: '~timeline', title: 'Timeline', Page: TimelinePage },
  { word: '~extensions', title: 'Webhooks and policies', Page: ExtensionsPage },
  { word: '~requests', title: 'Refused and slow requests', Page: RequestsPage },
];
