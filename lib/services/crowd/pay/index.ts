export { approvePayout, cancelPayout, markPaid, type NewPayout } from './approve-payout';
export { type Balance, balances, type WorkerMoney, workerMoney } from './balances';
export { fairPayOf, payFactsOf, type StagePay } from './fair-pay-of';
export { deletePayee, type OwnPayee, ownPayees, savePayee } from './own-payee';
export { type Bonus, payBonus } from './pay-bonus';
export {
  decidePayReview,
  listPayReviews,
  MAX_LISTED_REVIEWS,
  type OwnPayReview,
  type PayDecision,
  type PayReview,
  payReviewOf,
} from './pay-reviews';
export { type PayTerms, payTermsOf } from './pay-terms';
export {
  exportPayees,
  listPayees,
  MAX_LISTED_PAYEES,
  type Payee,
  type PayeeList,
  readPayee,
} from './payees';
export { sendPayout } from './send-payout';
