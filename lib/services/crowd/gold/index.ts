export { neededImages } from './assign-pool';
export { decideAboutGold, type GoldDecision } from './decide-about-gold';
export { setGoldPool } from './set-pool';
