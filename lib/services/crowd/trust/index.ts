export { type AppealAnswer, answerAppeal, appeal, type NewAppeal, requireOwnDecision } from './answer-appeal';
export { type WorkerVerdict, workerVerdicts } from './apply-decision';
export { type AskingAgain, askAgain, costOfAskingAgain } from './ask-again';
export { decideByHand, type HandDecision } from './decide-by-hand';
export { readHistory } from './read-history';
export { rulesInForce } from './rules-in-force';
