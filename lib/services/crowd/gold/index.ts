export { neededImages } from './assign-pool';
export { decideAboutGold, type GoldDecision, setGoldPool } from './decide-about-gold';
