import type { ObjectPart, View } from '../view/view.ts';
import type { Go } from './use-view.ts';

/** A part of the page of an object that the user opens. The address says whether it is open, so that a link shows it. */
export interface PartOpening {
  readonly isOpen: boolean;
  /** Opens or closes the part. */
  set(isOpen: boolean): void;
}

/** The opening of a part in a view. */
export const partOpening = ({ open }: View, go: Go, part: ObjectPart): PartOpening => ({
  isOpen: open.includes(part),
  set(isOpen) {
    if (isOpen === open.includes(part)) return;
    go({ open: isOpen ? [...open, part] : open.filter((each) => each !== part) }, 'replace');
  },
});
