/**
 * Zones that go by more than one name, from the tz database's `backward` file (2025b): today's name first.
 * Engines disagree about which of them they list, people about which one they know.
 */
export const zoneLinks: readonly (readonly string[])[] = `
Africa/Asmara Africa/Asmera
Africa/Bamako Africa/Timbuktu
Africa/Cairo Egypt
Africa/Tripoli Libya
America/Adak US/Aleutian America/Atka
America/Anchorage US/Alaska
America/Argentina/Buenos_Aires America/Buenos_Aires
America/Argentina/Catamarca America/Catamarca America/Argentina/ComodRivadavia
America/Argentina/Cordoba America/Cordoba America/Rosario
America/Argentina/Jujuy America/Jujuy
America/Argentina/Mendoza America/Mendoza
America/Atikokan America/Coral_Harbour
America/Chicago US/Central CST6CDT
America/Denver Navajo US/Mountain America/Shiprock MST7MDT
America/Detroit US/Michigan
America/Edmonton Canada/Mountain America/Yellowknife
America/Halifax Canada/Atlantic
America/Havana Cuba
America/Indiana/Indianapolis US/East-Indiana America/Indianapolis America/Fort_Wayne
America/Indiana/Knox US/Indiana-Starke America/Knox_IN
America/Iqaluit America/Pangnirtung
America/Jamaica Jamaica
America/Kentucky/Louisville America/Louisville
America/Los_Angeles US/Pacific PST8PDT
America/Manaus Brazil/West
America/Mazatlan Mexico/BajaSur
America/Mexico_City Mexico/General
America/New_York US/Eastern EST5EDT
America/Noronha Brazil/DeNoronha
America/Nuuk America/Godthab
America/Panama EST
America/Phoenix US/Arizona MST
America/Regina Canada/Saskatchewan
America/Rio_Branco Brazil/Acre America/Porto_Acre
America/Santiago Chile/Continental
America/Sao_Paulo Brazil/East
America/St_Johns Canada/Newfoundland
America/St_Thomas America/Virgin
America/Tijuana Mexico/BajaNorte America/Ensenada America/Santa_Isabel
America/Toronto Canada/Eastern America/Montreal America/Nipigon America/Thunder_Bay
America/Vancouver Canada/Pacific
America/Whitehorse Canada/Yukon
America/Winnipeg Canada/Central America/Rainy_River
Antarctica/McMurdo Antarctica/South_Pole
Arctic/Longyearbyen Atlantic/Jan_Mayen
Asia/Ashgabat Asia/Ashkhabad
Asia/Dhaka Asia/Dacca
Asia/Ho_Chi_Minh Asia/Saigon
Asia/Hong_Kong Hongkong
Asia/Jerusalem Israel Asia/Tel_Aviv
Asia/Kathmandu Asia/Katmandu
Asia/Kolkata Asia/Calcutta
Asia/Macau Asia/Macao
Asia/Makassar Asia/Ujung_Pandang
Asia/Nicosia Europe/Nicosia
Asia/Seoul ROK
Asia/Shanghai PRC Asia/Chongqing Asia/Harbin Asia/Chungking
Asia/Singapore Singapore
Asia/Taipei ROC
Asia/Tehran Iran
Asia/Thimphu Asia/Thimbu
Asia/Tokyo Japan
Asia/Ulaanbaatar Asia/Choibalsan Asia/Ulan_Bator
Asia/Urumqi Asia/Kashgar
Asia/Yangon Asia/Rangoon
Atlantic/Faroe Atlantic/Faeroe
Atlantic/Reykjavik Iceland
Australia/Adelaide Australia/South
Australia/Brisbane Australia/Queensland
Australia/Broken_Hill Australia/Yancowinna
Australia/Darwin Australia/North
Australia/Hobart Australia/Tasmania Australia/Currie
Australia/Lord_Howe Australia/LHI
Australia/Melbourne Australia/Victoria
Australia/Perth Australia/West
Australia/Sydney Australia/ACT Australia/NSW Australia/Canberra
Europe/Athens EET
Europe/Brussels CET MET
Europe/Chisinau Europe/Tiraspol
Europe/Dublin Eire
Europe/Istanbul Turkey Asia/Istanbul
Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye Europe/Kiev
Europe/Lisbon Portugal WET
Europe/London GB GB-Eire Europe/Belfast
Europe/Moscow W-SU
Europe/Warsaw Poland
Pacific/Auckland NZ
Pacific/Chatham NZ-CHAT
Pacific/Chuuk Pacific/Truk Pacific/Yap
Pacific/Easter Chile/EasterIsland
Pacific/Honolulu US/Hawaii Pacific/Johnston HST
Pacific/Kanton Pacific/Enderbury
Pacific/Kwajalein Kwajalein
Pacific/Pago_Pago US/Samoa Pacific/Samoa
Pacific/Pohnpei Pacific/Ponape
UTC Etc/UTC Etc/UCT Etc/Universal Etc/Zulu UCT Universal Zulu GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT+0 GMT-0 GMT0 Greenwich Etc/GMT
`
  .trim()
  .split('\n')
  .map(line => line.split(' '))
