/** A question that the forms of an image lead to. */
export interface Expected {
  stageId: string;
  target: string;
  priority: number;
  /** One of the forms that were just settled leads to it. */
  isAnew: boolean;
}

/** A question of a mask stage that exists about the image. */
export interface Asked {
  id: string;
  stageId: string;
  target: string;
  state: 'open' | 'settled' | 'withdrawn';
  /** Its current label; of a drawing, whether a curator made or accepted it. */
  labelId: string | null;
  isDrawn: boolean;
  isCurated: boolean;
  /** Somebody found nothing to draw, and the form lost its attribute by that. */
  isDenied: boolean;
  isGold: boolean;
}

export interface Plan {
  ask: Expected[];
  /** Withdrawn questions that follow again. */
  reopen: { asked: Asked; priority: number }[];
  /** Questions that were denied before their attribute was claimed anew. */
  askAgain: Asked[];
  withdraw: Asked[];
}

export interface Knowing {
  /** Every form of the image is settled: what none of them leads to is not asked. */
  isKnown: boolean;
  /** What a curator drew or accepted outlasts what the crowd says, but not what a curator says. */
  by: 'crowd' | 'curator';
}

/** What has to happen to the questions about an image for them to be those that its forms lead to. */
export function planFollowing(
  expected: readonly Expected[],
  asked: readonly Asked[],
  { isKnown, by }: Knowing,
): Plan {
  const keyOf = ({ stageId, target }: { stageId: string; target: string }) => `${stageId} ${target}`;
  const wanted = new Map(expected.map((each) => [keyOf(each), each]));
  const there = new Set(asked.map(keyOf));
  const plan: Plan = {
    ask: expected.filter((each) => !there.has(keyOf(each))),
    reopen: [],
    askAgain: [],
    withdraw: [],
  };
  for (const each of asked) {
    const follows = wanted.get(keyOf(each));
    if (!follows) {
      if (isKnown && goesAway(each, by)) plan.withdraw.push(each);
    } else if (each.state === 'withdrawn') plan.reopen.push({ asked: each, priority: follows.priority });
    else if (each.state === 'settled' && each.isDenied && follows.isAnew) plan.askAgain.push(each);
  }
  return plan;
}

/** "Nothing to label" agrees with a form that does not claim it, and gold is what people are measured by. */
function goesAway({ state, isGold, labelId, isDrawn, isCurated }: Asked, by: Knowing['by']): boolean {
  if (isGold || state === 'withdrawn') return false;
  if (labelId === null) return true;
  return isDrawn && (by === 'curator' || !isCurated);
}
