export { readSetup, type SetupFacts, type StageGold } from './read-setup';
export {
  nextStep,
  type SetupStep,
  type SetupStepId,
  type StepState,
  setupStepIds,
  setupSteps,
} from './setup-steps';
