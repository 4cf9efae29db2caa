import { z } from 'zod';
import type { tables } from '@/db';
import type { arrivalStates, RecruiterId } from '@/db/schema';
import { invalid } from '@/lib/core/errors';

export type ArrivalState = (typeof arrivalStates)[number];
/** How a visit ends. */
export type Outcome = Exclude<ArrivalState, 'active'>;

export type Recruitment = typeof tables.recruitments.$inferSelect;
export type Arrival = typeof tables.arrivals.$inferSelect;

/** What a marketplace writes into the address with which it sends somebody. */
export type Query = Readonly<Record<string, string | undefined>>;

export interface Visitor {
  kind: 'visitor';
  /** The study, as `recruitments.external_id` has it. */
  study: string;
  /** Who they are there, and which visit this is. */
  worker: string;
  session: string;
  /** The secret of the link, if it came along. */
  key: string | null;
}

/** Somebody who only looks: nothing about them is stored. */
interface Preview {
  kind: 'preview';
  study: string | null;
}

/**
 * `vouched`: the marketplace confirms that this person is on this visit now. `unconfirmed`: only the link speaks for
 * them. `over`: the marketplace says that the visit has ended.
 */
export type Voucher = 'vouched' | 'unconfirmed' | 'over';

export interface BonusLine {
  externalWorker: string;
  amountMicro: bigint;
  currency: string;
}

/** A source of workers: one object per marketplace, one line in the registry. */
export interface Recruiter {
  id: RecruiterId;
  title: string;
  /** Whether it can pay people for us. */
  paysBonuses: boolean;
  /** What a recruitment keeps about the study: completion codes and the like. */
  settings: z.ZodType<Record<string, unknown>>;
  /** The address of a study, for the marketplace, with the places that it fills in; null: people come another way. */
  studyLink(base: string, key: string): string | null;
  /** Whether somebody who has not accepted may look, and what they are told. */
  previewPolicy: { isShown: boolean; says: string };
  /** Throws `invalid` for an address that the marketplace cannot have made. */
  parseArrival(query: Query): Visitor | Preview;
  /** Throws when the visitor is not who they say. */
  vouch(recruitment: Recruitment, visitor: Visitor): Promise<Voucher>;
  /** Where a person goes at the end of a visit so that the marketplace knows how it ended; null: nowhere. */
  completionUrl(recruitment: Recruitment, outcome: Outcome): string | null;
  /** Which of these open visits have ended over there. */
  reclaim(
    recruitment: Recruitment,
    sessions: readonly string[],
  ): Promise<{ session: string; state: Outcome }[]>;
  /**
   * Hands a list over to the marketplace and returns its reference; no money moves yet. Null where the marketplace
   * cannot pay, and the list is paid by hand.
   */
  prepareBonus(recruitment: Recruitment, lines: readonly BonusLine[]): Promise<string | null>;
  /** Pays a list that was handed over: one reference is paid once, however often this is asked. */
  sendBonus(recruitment: Recruitment, reference: string): Promise<void>;
}

/**
 * The project's own people. They come by an invitation (`lib/services/accounts`: project, cohort, seats, expiry), which makes
 * an account with an e-mail address or a pseudonym; there is no marketplace to ask, to tell or to pay through.
 */
export const pool: Recruiter = {
  id: 'pool',
  title: 'Own pool',
  settings: z.strictObject({}),
  previewPolicy: { isShown: true, says: 'The invitation shows what is asked and paid before one joins.' },
  studyLink: () => null,
  parseArrival() {
    throw invalid('People of the own pool come by an invitation: open its link.');
  },
  vouch: async () => 'unconfirmed',
  completionUrl: () => null,
  reclaim: async () => [],
  paysBonuses: false,
  prepareBonus: async () => null,
  sendBonus: async () => {
    throw invalid('The own pool is paid by hand.');
  },
};
