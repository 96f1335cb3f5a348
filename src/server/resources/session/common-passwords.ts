import { dictionary } from '@zxcvbn-ts/language-common'
import { coresOf } from './rules.ts'

/**
 * Words that long but guessable passwords are made of: the 10,000 passwords that published leaks have most
 * often, and below what people in an agency here would choose. Digits, signs and capitals around and inside
 * them are removed before comparing (see rules.ts), so that one line stands for Password123!, p4ssw0rd2024
 * and the like.
 */
export const commonPasswords: ReadonlySet<string> = new Set([...leaked(), ...ours()])

/** The most frequent ones come first; all 49,000 would block the process for a fifth of a second. */
function leaked() {
  return dictionary['passwords-common'].slice(0, 10_000).flatMap(coresOf)
}

function ours() {
  return `password passwort passwordpassword mypassword newpassword thepassword yourpassword changepassword changeme changemenow
letmein letmeinnow letmeinplease pleaseletmein welcome welcomehome welcomeback welcometo welcomewelcome iloveyou iloveyousomuch
iloveyouforever iloveyoubaby ilovemyself ilovemyfamily ilovejesus ilovegod jesuschrist jesusislord jesuslovesme jesusismylord
qwerty qwertyqwerty qwertyuiop qwertyuiopasdf qwertyasdfgh qwertzuiop azertyuiop asdfghjkl asdfghjklzxcv asdfasdfasdf zxcvbnm
qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb zaqxswcde
abcdefghijkl abcdefghijklm abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abcdabcdabcd abcabcabcabc
administrator adminadmin adminadminadmin admin rootroot superuser superuseradmin administrador defaultpassword default guestguest
monkey dragon sunshine princess football baseball basketball superman batman spiderman starwars pokemon mustang corvette
whatever trustno one trustnoone computer internet michael jennifer jessica charlie ashley liverpool liverpoolfc manchester
manchesterunited chelseafc arsenalfc barcelona realmadrid juventus metallica slipknot nirvana greenday linkinpark eminem
blink onedirection justinbieber michaeljackson harrypotter lordoftherings gameofthrones worldofwarcraft counterstrike minecraft
playstation nintendo bubblegum butterfly chocolate cheesecake strawberry watermelon hellokitty helloworld hello hellohello
helloworldhello goodmorning goodnight fuckyou fuckyoufuckyou fuckoff fuckme motherfucker asshole bullshit secret topsecret
secretsecret nothing nothingness mynameis mybirthday birthday happybirthday happy happiness christmas newyear summer summertime
winter wintertime spring autumn january february september october november december monday tuesday wednesday thursday friday
saturday sunday dragonball dragonballz narutouzumaki cristianoronaldo ronaldo messi lionelmessi neymarjr
correcthorsebatterystaple thequickbrownfox thequickbrownfoxjumps quickbrownfox tobeornottobe thisismypassword thisisapassword
thisispassword itsasecret opensesame abracadabra supercalifragilistic supercalifragilisticexpialidocious
taiwan taiwannumberone taipei woaini woainiwoaini woainima nihaoma nihao aini
company companyname marketing advertising agency report reporting spreadsheet googlesheets facebook facebookads instagram
google googleads youtube twitter linkedin whatsapp microsoft windows samsung iphone android apple amazon netflix spotify paypal
sheetcast sheetcastdemo sheetcastadmin sheetcastpassword demo demodemo test testtest testtesttest testing testingtesting temporary temppassword
login loginlogin signin access accessaccess master masterkey mastermaster ninja shadow hunter killer soccer hockey tigger
maggie buster pepper ginger cookie flower snoopy peanut banana orange purple yellow silver golden diamond phoenix thunder
lovelove lovelovelove loveyou loveme forever foreveryoung friends bestfriends bestfriendsforever family myfamily freedom
america american canada australia england london germany france hongkong singapore japan beijing shanghai`.split(
    /\s+/,
  )
}
