export { type AppealAnswer, answerAppeal } from './answer-appeal';
export { appeal, type NewAppeal, requireOwnDecision } from './appeal';
export { type WorkerVerdict, workerVerdicts } from './apply-decision';
export { askAgain } from './ask-again';
export { type AskingAgain, costOfAskingAgain } from './cost-of-asking-again';
export { decideByHand, type HandDecision } from './decide-by-hand';
export { readHistory } from './read-history';
export { rulesInForce } from './rules-in-force';
