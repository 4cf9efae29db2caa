import { type SetupStepId, setupStepIds } from '@/lib/services/curation/setup-step-ids';

/** By step of the guided path: the parts of a project in which its work is done. */
const sections: Record<SetupStepId, readonly string[]> = {
  images: ['/images'],
  // Example pictures of what the schema names are in the guide.
  schema: ['/schema', '/crowd/guide'],
  instructions: ['/crowd/guide'],
  gold: ['/gold'],
  policy: ['/crowd/policy', '/crowd/exams'],
  invite: ['/crowd/invite', '/crowd/people'],
};

export interface SetupPlace {
  step: SetupStepId;
  /** From 1. */
  number: number;
  count: number;
  /** What the tab remembers. */
  kept: string;
}

/** The step that a page belongs to: the one its address names, or the last one, while the page is still a part of it. */
export function setupPlace(
  slug: string,
  pathname: string,
  asked: string | null,
  kept: string | null,
): SetupPlace | null {
  const named = asked ?? (kept?.startsWith(`${slug}/`) ? kept.slice(slug.length + 1) : null);
  const step = setupStepIds.find((each) => each === named);
  if (!step) return null;
  const inside = pathname.slice(`/projects/${slug}`.length);
  const isPart = sections[step].some((section) => inside === section || inside.startsWith(`${section}/`));
  if (!isPart) return null;
  return {
    step,
    number: setupStepIds.indexOf(step) + 1,
    count: setupStepIds.length,
    kept: `${slug}/${step}`,
  };
}
