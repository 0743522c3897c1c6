// Written by generate.ts.

export interface DateNames {
  /** Names of the months, in small letters, with blanks between those of a month. */
  months: readonly string[];
  short: readonly string[];
  /** From Sunday. */
  weekdays: readonly string[];
  relative: readonly (readonly [text: string, unit: "day" | "week" | "month" | "year", count: number])[];
}

export const DATE_NAMES: Record<"arabic" | "german" | "spanish" | "french" | "hindi" | "italian" | "dutch" | "polish" | "portuguese" | "russian" | "turkish", DateNames> = {
 "arabic": {
  "months": [
   "يناير جانفي",
   "فبراير فيفري",
   "مارس",
   "أبريل أفريل",
   "مايو ماي",
   "يونيو جوان",
   "يوليو جويلية يوليوز",
   "أغسطس أوت غشت",
   "سبتمبر شتنبر",
   "أكتوبر",
   "نوفمبر نونبر",
   "ديسمبر دجنبر"
  ],
  "short": [
   "",
   "",
   "",
   "",
   "",
   "",
   "",
   "",
   "",
   "",
   "",
   ""
  ],
  "weekdays": [
   "الأحد",
   "الاثنين",
   "الثلاثاء",
   "الأربعاء",
   "الخميس",
   "الجمعة",
   "السبت"
  ],
  "relative": [
   [
    "أول أمس",
    "day",
    -2
   ],
   [
    "أمس",
    "day",
    -1
   ],
   [
    "اليوم",
    "day",
    0
   ],
   [
    "غدًا",
    "day",
    1
   ],
   [
    "بعد الغد",
    "day",
    2
   ],
   [
    "الأسبوع الماضي",
    "week",
    -1
   ],
   [
    "هذا الأسبوع",
    "week",
    0
   ],
   [
    "الأسبوع القادم",
    "week",
    1
   ],
   [
    "الشهر الماضي",
    "month",
    -1
   ],
   [
    "هذا الشهر",
    "month",
    0
   ],
   [
    "الشهر القادم",
    "month",
    1
   ],
   [
    "السنة الماضية",
    "year",
    -1
   ],
   [
    "السنة الحالية",
    "year",
    0
   ],
   [
    "السنة القادمة",
    "year",
    1
   ]
  ]
 },
 "german": {
  "months": [
   "januar jänner janner",
   "februar",
   "märz marz",
   "april",
   "mai",
   "juni",
   "juli",
   "august",
   "september",
   "oktober",
   "november",
   "dezember"
  ],
  "short": [
   "jan jän",
   "feb",
   "mär mar",
   "apr",
   "",
   "jun",
   "jul",
   "aug",
   "sep sept",
   "okt",
   "nov",
   "dez"
  ],
  "weekdays": [
   "sonntag",
   "montag",
   "dienstag",
   "mittwoch",
   "donnerstag",
   "freitag",
   "samstag"
  ],
  "relative": [
   [
    "vorgestern",
    "day",
    -2
   ],
   [
    "gestern",
    "day",
    -1
   ],
   [
    "heute",
    "day",
    0
   ],
   [
    "morgen",
    "day",
    1
   ],
   [
    "übermorgen",
    "day",
    2
   ],
   [
    "letzte woche",
    "week",
    -1
   ],
   [
    "diese woche",
    "week",
    0
   ],
   [
    "nächste woche",
    "week",
    1
   ],
   [
    "letzten monat",
    "month",
    -1
   ],
   [
    "diesen monat",
    "month",
    0
   ],
   [
    "nächsten monat",
    "month",
    1
   ],
   [
    "letztes jahr",
    "year",
    -1
   ],
   [
    "dieses jahr",
    "year",
    0
   ],
   [
    "nächstes jahr",
    "year",
    1
   ]
  ]
 },
 "spanish": {
  "months": [
   "enero",
   "febrero",
   "marzo",
   "abril",
   "mayo",
   "junio",
   "julio",
   "agosto",
   "septiembre setiembre",
   "octubre",
   "noviembre",
   "diciembre"
  ],
  "short": [
   "ene",
   "feb",
   "mar",
   "abr",
   "may",
   "jun",
   "jul",
   "ago",
   "sept set",
   "oct",
   "nov",
   "dic"
  ],
  "weekdays": [
   "domingo",
   "lunes",
   "martes",
   "miércoles miercoles",
   "jueves",
   "viernes",
   "sábado sabado"
  ],
  "relative": [
   [
    "anteayer",
    "day",
    -2
   ],
   [
    "ayer",
    "day",
    -1
   ],
   [
    "hoy",
    "day",
    0
   ],
   [
    "mañana",
    "day",
    1
   ],
   [
    "pasado mañana",
    "day",
    2
   ],
   [
    "semana pasada",
    "week",
    -1
   ],
   [
    "esta semana",
    "week",
    0
   ],
   [
    "próxima semana",
    "week",
    1
   ],
   [
    "mes pasado",
    "month",
    -1
   ],
   [
    "este mes",
    "month",
    0
   ],
   [
    "próximo mes",
    "month",
    1
   ],
   [
    "año pasado",
    "year",
    -1
   ],
   [
    "este año",
    "year",
    0
   ],
   [
    "próximo año",
    "year",
    1
   ]
  ]
 },
 "french": {
  "months": [
   "janvier",
   "février fevrier",
   "mars",
   "avril",
   "mai",
   "juin",
   "juillet",
   "août aout",
   "septembre",
   "octobre",
   "novembre",
   "décembre decembre"
  ],
  "short": [
   "janv",
   "févr fevr",
   "",
   "avr",
   "",
   "",
   "juil",
   "",
   "sept",
   "oct",
   "nov",
   "déc dec"
  ],
  "weekdays": [
   "dimanche",
   "lundi",
   "mardi",
   "mercredi",
   "jeudi",
   "vendredi",
   "samedi"
  ],
  "relative": [
   [
    "avant-hier",
    "day",
    -2
   ],
   [
    "hier",
    "day",
    -1
   ],
   [
    "aujourd’hui",
    "day",
    0
   ],
   [
    "aujourd'hui",
    "day",
    0
   ],
   [
    "demain",
    "day",
    1
   ],
   [
    "après-demain",
    "day",
    2
   ],
   [
    "semaine dernière",
    "week",
    -1
   ],
   [
    "cette semaine",
    "week",
    0
   ],
   [
    "semaine prochaine",
    "week",
    1
   ],
   [
    "mois dernier",
    "month",
    -1
   ],
   [
    "ce mois-ci",
    "month",
    0
   ],
   [
    "mois prochain",
    "month",
    1
   ],
   [
    "l’année dernière",
    "year",
    -1
   ],
   [
    "l'année dernière",
    "year",
    -1
   ],
   [
    "cette année",
    "year",
    0
   ],
   [
    "l’année prochaine",
    "year",
    1
   ],
   [
    "l'année prochaine",
    "year",
    1
   ]
  ]
 },
 "hindi": {
  "months": [
   "जनवरी",
   "फ़रवरी",
   "मार्च",
   "अप्रैल",
   "मई",
   "जून",
   "जुलाई",
   "अगस्त",
   "सितंबर",
   "अक्टूबर",
   "नवंबर",
   "दिसंबर"
  ],
  "short": [
   "जन",
   "फ़र",
   "",
   "",
   "",
   "",
   "जुल",
   "अग",
   "सित",
   "अक्टू",
   "नव",
   "दिस"
  ],
  "weekdays": [
   "रविवार",
   "सोमवार",
   "मंगलवार",
   "बुधवार",
   "गुरुवार",
   "शुक्रवार",
   "शनिवार"
  ],
  "relative": [
   [
    "आज",
    "day",
    0
   ],
   [
    "पिछला सप्ताह",
    "week",
    -1
   ],
   [
    "इस सप्ताह",
    "week",
    0
   ],
   [
    "अगला सप्ताह",
    "week",
    1
   ],
   [
    "पिछला माह",
    "month",
    -1
   ],
   [
    "इस माह",
    "month",
    0
   ],
   [
    "अगला माह",
    "month",
    1
   ],
   [
    "पिछला वर्ष",
    "year",
    -1
   ],
   [
    "इस वर्ष",
    "year",
    0
   ],
   [
    "अगला वर्ष",
    "year",
    1
   ]
  ]
 },
 "italian": {
  "months": [
   "gennaio",
   "febbraio",
   "marzo",
   "aprile",
   "maggio",
   "giugno",
   "luglio",
   "agosto",
   "settembre",
   "ottobre",
   "novembre",
   "dicembre"
  ],
  "short": [
   "gen",
   "feb",
   "mar",
   "apr",
   "mag",
   "giu",
   "lug",
   "ago",
   "set",
   "ott",
   "nov",
   "dic"
  ],
  "weekdays": [
   "domenica",
   "lunedì lunedi",
   "martedì martedi",
   "mercoledì mercoledi",
   "giovedì giovedi",
   "venerdì venerdi",
   "sabato"
  ],
  "relative": [
   [
    "l’altro ieri",
    "day",
    -2
   ],
   [
    "l'altro ieri",
    "day",
    -2
   ],
   [
    "ieri",
    "day",
    -1
   ],
   [
    "oggi",
    "day",
    0
   ],
   [
    "domani",
    "day",
    1
   ],
   [
    "dopodomani",
    "day",
    2
   ],
   [
    "settimana scorsa",
    "week",
    -1
   ],
   [
    "questa settimana",
    "week",
    0
   ],
   [
    "settimana prossima",
    "week",
    1
   ],
   [
    "mese scorso",
    "month",
    -1
   ],
   [
    "questo mese",
    "month",
    0
   ],
   [
    "mese prossimo",
    "month",
    1
   ],
   [
    "anno scorso",
    "year",
    -1
   ],
   [
    "quest’anno",
    "year",
    0
   ],
   [
    "quest'anno",
    "year",
    0
   ],
   [
    "anno prossimo",
    "year",
    1
   ]
  ]
 },
 "dutch": {
  "months": [
   "januari",
   "februari",
   "maart",
   "april",
   "mei",
   "juni",
   "juli",
   "augustus",
   "september",
   "oktober",
   "november",
   "december"
  ],
  "short": [
   "jan",
   "feb",
   "mrt",
   "apr",
   "",
   "jun",
   "jul",
   "aug",
   "sep",
   "okt",
   "nov",
   "dec"
  ],
  "weekdays": [
   "zondag",
   "maandag",
   "dinsdag",
   "woensdag",
   "donderdag",
   "vrijdag",
   "zaterdag"
  ],
  "relative": [
   [
    "eergisteren",
    "day",
    -2
   ],
   [
    "gisteren",
    "day",
    -1
   ],
   [
    "vandaag",
    "day",
    0
   ],
   [
    "morgen",
    "day",
    1
   ],
   [
    "overmorgen",
    "day",
    2
   ],
   [
    "vorige week",
    "week",
    -1
   ],
   [
    "deze week",
    "week",
    0
   ],
   [
    "volgende week",
    "week",
    1
   ],
   [
    "vorige maand",
    "month",
    -1
   ],
   [
    "deze maand",
    "month",
    0
   ],
   [
    "volgende maand",
    "month",
    1
   ],
   [
    "vorig jaar",
    "year",
    -1
   ],
   [
    "dit jaar",
    "year",
    0
   ],
   [
    "volgend jaar",
    "year",
    1
   ]
  ]
 },
 "polish": {
  "months": [
   "styczeń styczen stycznia styczniu",
   "luty lutego lutym",
   "marzec marca marcu",
   "kwiecień kwiecien kwietnia kwietniu",
   "maj maja maju",
   "czerwiec czerwca czerwcu",
   "lipiec lipca lipcu",
   "sierpień sierpien sierpnia sierpniu",
   "wrzesień wrzesien września wrzesnia wrześniu wrzesniu",
   "październik pazdziernik października pazdziernika październiku pazdzierniku",
   "listopad listopada listopadu",
   "grudzień grudzien grudnia grudniu"
  ],
  "short": [
   "sty",
   "lut",
   "mar",
   "kwi",
   "",
   "cze",
   "lip",
   "sie",
   "wrz",
   "paź paz",
   "lis",
   "gru"
  ],
  "weekdays": [
   "niedziela",
   "poniedziałek poniedzialek",
   "wtorek",
   "środa sroda",
   "czwartek",
   "piątek piatek",
   "sobota"
  ],
  "relative": [
   [
    "przedwczoraj",
    "day",
    -2
   ],
   [
    "wczoraj",
    "day",
    -1
   ],
   [
    "dzisiaj",
    "day",
    0
   ],
   [
    "jutro",
    "day",
    1
   ],
   [
    "pojutrze",
    "day",
    2
   ],
   [
    "zeszłym tygodniu",
    "week",
    -1
   ],
   [
    "tym tygodniu",
    "week",
    0
   ],
   [
    "przyszłym tygodniu",
    "week",
    1
   ],
   [
    "zeszłym miesiącu",
    "month",
    -1
   ],
   [
    "tym miesiącu",
    "month",
    0
   ],
   [
    "przyszłym miesiącu",
    "month",
    1
   ],
   [
    "zeszłym roku",
    "year",
    -1
   ],
   [
    "tym roku",
    "year",
    0
   ],
   [
    "przyszłym roku",
    "year",
    1
   ]
  ]
 },
 "portuguese": {
  "months": [
   "janeiro",
   "fevereiro",
   "março marco",
   "abril",
   "maio",
   "junho",
   "julho",
   "agosto",
   "setembro",
   "outubro",
   "novembro",
   "dezembro"
  ],
  "short": [
   "jan",
   "fev",
   "mar",
   "abr",
   "mai",
   "jun",
   "jul",
   "ago",
   "set",
   "out",
   "nov",
   "dez"
  ],
  "weekdays": [
   "domingo",
   "segunda-feira",
   "terça-feira terca-feira",
   "quarta-feira",
   "quinta-feira",
   "sexta-feira",
   "sábado sabado"
  ],
  "relative": [
   [
    "anteontem",
    "day",
    -2
   ],
   [
    "ontem",
    "day",
    -1
   ],
   [
    "hoje",
    "day",
    0
   ],
   [
    "amanhã",
    "day",
    1
   ],
   [
    "depois de amanhã",
    "day",
    2
   ],
   [
    "semana passada",
    "week",
    -1
   ],
   [
    "esta semana",
    "week",
    0
   ],
   [
    "próxima semana",
    "week",
    1
   ],
   [
    "mês passado",
    "month",
    -1
   ],
   [
    "este mês",
    "month",
    0
   ],
   [
    "próximo mês",
    "month",
    1
   ],
   [
    "ano passado",
    "year",
    -1
   ],
   [
    "este ano",
    "year",
    0
   ],
   [
    "próximo ano",
    "year",
    1
   ]
  ]
 },
 "russian": {
  "months": [
   "январь января январе",
   "февраль февраля феврале",
   "март марта марте",
   "апрель апреля апреле",
   "май маи мая мае",
   "июнь июня июне",
   "июль июля июле",
   "август августа августе",
   "сентябрь сентября сентябре",
   "октябрь октября октябре",
   "ноябрь ноября ноябре",
   "декабрь декабря декабре"
  ],
  "short": [
   "янв",
   "февр",
   "мар",
   "апр",
   "",
   "июн",
   "июл",
   "авг",
   "сент",
   "окт",
   "нояб",
   "дек"
  ],
  "weekdays": [
   "воскресенье",
   "понедельник",
   "вторник",
   "среда",
   "четверг",
   "пятница",
   "суббота"
  ],
  "relative": [
   [
    "позавчера",
    "day",
    -2
   ],
   [
    "вчера",
    "day",
    -1
   ],
   [
    "сегодня",
    "day",
    0
   ],
   [
    "завтра",
    "day",
    1
   ],
   [
    "послезавтра",
    "day",
    2
   ],
   [
    "прошлой неделе",
    "week",
    -1
   ],
   [
    "этой неделе",
    "week",
    0
   ],
   [
    "следующей неделе",
    "week",
    1
   ],
   [
    "прошлом месяце",
    "month",
    -1
   ],
   [
    "этом месяце",
    "month",
    0
   ],
   [
    "следующем месяце",
    "month",
    1
   ],
   [
    "прошлом году",
    "year",
    -1
   ],
   [
    "этом году",
    "year",
    0
   ],
   [
    "следующем году",
    "year",
    1
   ]
  ]
 },
 "turkish": {
  "months": [
   "ocak",
   "şubat subat",
   "mart",
   "nisan",
   "mayıs mayis",
   "haziran",
   "temmuz",
   "ağustos agustos",
   "eylül eylul",
   "ekim",
   "kasım kasim",
   "aralık aralik"
  ],
  "short": [
   "oca",
   "şub sub",
   "mar",
   "nis",
   "may",
   "haz",
   "tem",
   "ağu agu",
   "eyl",
   "eki",
   "kas",
   "ara"
  ],
  "weekdays": [
   "pazar",
   "pazartesi",
   "salı sali",
   "çarşamba carsamba",
   "perşembe persembe",
   "cuma",
   "cumartesi"
  ],
  "relative": [
   [
    "evvelsi gün",
    "day",
    -2
   ],
   [
    "dün",
    "day",
    -1
   ],
   [
    "bugün",
    "day",
    0
   ],
   [
    "yarın",
    "day",
    1
   ],
   [
    "öbür gün",
    "day",
    2
   ],
   [
    "geçen hafta",
    "week",
    -1
   ],
   [
    "bu hafta",
    "week",
    0
   ],
   [
    "gelecek hafta",
    "week",
    1
   ],
   [
    "geçen ay",
    "month",
    -1
   ],
   [
    "bu ay",
    "month",
    0
   ],
   [
    "gelecek ay",
    "month",
    1
   ],
   [
    "geçen yıl",
    "year",
    -1
   ],
   [
    "bu yıl",
    "year",
    0
   ],
   [
    "gelecek yıl",
    "year",
    1
   ]
  ]
 }
};
