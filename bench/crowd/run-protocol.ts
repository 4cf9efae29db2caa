import type { Database } from '@/db';
import { forEachConcurrently } from '@/lib/core/concurrency';
import type { Policy } from '@/lib/core/quality/policy';
import { defaultPolicy } from '@/lib/core/quality/policy';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { defaultRules, type RuleSetting, rival10Rules } from '@/lib/core/quality/rules';
import type { Member } from '@/lib/demo/simulation/crew';
import type { KnownScenes } from '@/lib/demo/simulation/known-scenes';
import { Notebook } from '@/lib/demo/simulation/question';
import { systemActor } from '@/lib/services/access';
import { askAgain } from '@/lib/services/crowd/trust';
import { enrol, type Hand, type Setting, workOnce } from './crowd';
import { fillProject } from './fill';
import { judgeRun, type RunResult } from './outcome';

interface Trial {
  db: Database;
  scenes: KnownScenes;
  protocol: Protocol;
  crew: readonly Member[];
  /** All that may be paid, exams included. */
  budgetMicro: bigint;
}

/** Pictures whose truth is gold. */
const GOLD = 300;
/** A picture costs about 0.45 dollars under the paper's pay; more pictures than money, so that nobody runs dry. */
const MICRO_PER_PICTURE = 300_000n;

/** Looks at everybody who was stopped, and does what the protocol says about their work. */
const curator = systemActor('bench');

/** People who work at the same moment. */
const AT_ONCE = 8;

/** Has the crew work, one batch each in turn, until the money is spent. */
export async function runProtocol({ db, scenes, protocol, crew, budgetMicro }: Trial): Promise<RunResult> {
  const pictures = Number(budgetMicro / MICRO_PER_PICTURE);
  const { policy, rules } = protocol;
  const project = await fillProject(db, scenes, { slug: 'trial', policy, rules, pictures, gold: GOLD });
  const setting: Setting = {
    db,
    project,
    scenes,
    notebook: new Notebook(),
    badAnswers: new Set(),
    onStop: async ({ actor }, stageId) => {
      if (protocol.asksAgain) await askAgain(db, curator, { stageId, workerId: actor.userId });
    },
  };
  const hands: Hand[] = [];
  for (const member of crew) hands.push(await enrol(setting, member));
  let costMicro = 0n;
  let atWork = [...hands];
  while (costMicro < budgetMicro && atWork.length > 0) {
    const still: Hand[] = [];
    await forEachConcurrently(AT_ONCE, atWork, async (hand) => {
      const paid = costMicro < budgetMicro ? await workOnce(setting, hand) : null;
      if (paid === null) return;
      costMicro += paid;
      still.push(hand);
    });
    atWork = still;
  }
  return { ...(await judgeRun(db, project, scenes, hands, setting.badAnswers)), costMicro };
}

/** A way to run a collection. */
interface Protocol {
  name: string;
  policy: Policy;
  rules: readonly RuleSetting[];
  /** Whether the work of somebody who was stopped is asked again, as far as no good check vouches for it. */
  asksAgain: boolean;
}

/** A day passes between two attempts at an exam; nothing else in the experiment depends on the clock. */
const withoutWaiting = (policy: Policy): Policy => ({
  ...policy,
  attributeExam: { ...policy.attributeExam, waitHours: 0 },
  maskExam: { ...policy.maskExam, waitHours: 0 },
});

export const protocols: readonly Protocol[] = [
  { name: 'RIVAL10 as printed', policy: rival10Policy, rules: rival10Rules, asksAgain: false },
  { name: 'Tessera’s default', policy: withoutWaiting(defaultPolicy), rules: defaultRules, asksAgain: true },
];
